-- Proposals: what one member of staff proposes and another confirms.

-- A decided proposal never changes, and of an open one only the decision. What has its effect later is open until then.
create or replace function staff.guard_proposal() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (new.id, new.kind, new.subject, new.player_id, new.content, new.reason, new.proposed_by, new.proposed_at)
    is distinct from
    (old.id, old.kind, old.subject, old.player_id, old.content, old.reason, old.proposed_by, old.proposed_at)
    or old.first_confirmed_by is not null and new.first_confirmed_by is distinct from old.first_confirmed_by
  then
    raise exception 'what was proposed never changes, as in the proposal %', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.state <> 'proposed' and (old.state <> 'confirmed' or new.state in ('proposed', 'confirmed')
    or (new.first_confirmed_by, new.confirmed_by, new.confirmed_at, new.confirmed_with)
      is distinct from (old.first_confirmed_by, old.confirmed_by, old.confirmed_at, old.confirmed_with)
    or exists (select from staff.proposal_kind where kind = old.kind and effect is not null))
  then
    raise exception 'the proposal % is decided', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create or replace trigger proposal_guarded before update on staff.proposal
  for each row execute function staff.guard_proposal();

select app.refuse('delete', 'staff.proposal');

-- Proposes something for another person to confirm. Answers 'proposed' with the proposal's number, already_proposed, or
-- why its kind refuses it.
create or replace function staff.propose(of_kind text, about text, content jsonb, why text, by_session text)
returns table (answer text, proposal_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  rules constant staff.proposal_kind := (select kinds from staff.proposal_kind kinds where kind = of_kind);
  by_staff constant integer := staff.acting(by_session, variadic coalesce(rules.proposed_by, '{}'));
  made staff.proposal;
begin
  made.kind := of_kind;
  made.subject := about;
  made.player_id := coalesce((content ->> 'player_id')::integer,
    case when about ~ '^player:[0-9]{1,9}$' then substr(about, 8)::integer end);
  made.content := content;
  made.proposed_by := by_staff;
  execute format('select %s($1, $2)', rules.judge) into answer
  using made, (select role from staff.member where id = by_staff);
  -- Of two proposals at once the second sees the first.
  perform pg_advisory_xact_lock(hashtext('proposal ' || of_kind || ' ' || about));
  if answer is null and not rules.several and exists (
    select from staff.proposal open where open.kind = of_kind and open.subject = about
      and (open.state = 'proposed' or open.state = 'confirmed' and rules.effect is null))
  then
    answer := 'already_proposed';
  end if;
  if answer is null then
    insert into staff.proposal (kind, subject, player_id, content, reason, proposed_by, proposed_at)
    values (of_kind, about, made.player_id, content, why, by_staff, app.now()) returning id into proposal_id;
    answer := 'proposed';
  end if;
  return next;
end
$$;

-- Confirms a proposal of another person, which then has its effect, or ends it: its maker withdraws it, another person
-- refuses it, but not while somebody has taken its payment. What only owners confirm, the only owner of a house confirms himself, by a fresh proof. `words`: what the
-- confirming person adds, if the kind needs it, or the reason of the end. Answers 'confirmed', 'first' if a third person
-- has to confirm it too, 'withdrawn', 'refused', not_found, decided, same_person, payment_taken, or why its kind refuses it.
create or replace function staff.decide(of_proposal bigint, confirms boolean, words text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  decided staff.proposal := (select proposal from staff.proposal where id = of_proposal);
  rules constant staff.proposal_kind := (select kinds from staff.proposal_kind kinds where kind = decided.kind);
  by_staff constant integer := staff.acting(by_session, variadic
    case when confirms then coalesce(rules.confirmed_by, array['owner', 'finance'])
      else array['owner', 'finance', 'support'] end);
  why_not text;
  by_himself boolean := false;
begin
  if confirms is null then raise exception 'a decision is yes or no' using errcode = 'null_value_not_allowed'; end if;
  if decided.id is null then return 'not_found'; end if;
  if not confirms and decided.proposed_by <> by_staff then
    perform staff.acting(by_session, variadic rules.ended_by);
  end if;
  if confirms then
    decided.confirmed_by := by_staff;
    decided.confirmed_with := words;
    -- Locks the subject, which comes before the proposal in the order of locks.
    execute format('select %s($1, $2)', rules.judge) into why_not
    using decided, (select role from staff.member where id = by_staff);
  end if;
  select * into decided from staff.proposal where id = of_proposal for update;
  if decided.state <> 'proposed' and (confirms or decided.state <> 'confirmed' or rules.effect is not null) then
    return 'decided';
  end if;
  if not confirms then
    if staff.taker_of(decided.subject) is not null then return 'payment_taken'; end if;
    update staff.proposal set state = case when proposed_by = by_staff then 'withdrawn' else 'refused' end,
      ended_by = by_staff, ended_at = app.now(), end_reason = words
    where id = of_proposal returning state into decided.state;
    return decided.state;
  end if;
  if by_staff in (decided.proposed_by, decided.first_confirmed_by) then
    by_himself := rules.confirmed_by = '{owner}' and staff.is_only_owner(by_staff) and staff.use_proof(by_session);
    if not by_himself then return 'same_person'; end if;
  end if;
  if why_not <> 'first' then return why_not; end if;
  if why_not = 'first' and decided.first_confirmed_by is null then
    update staff.proposal set first_confirmed_by = by_staff where id = of_proposal;
    return 'first';
  end if;
  update staff.proposal
  set state = 'confirmed', confirmed_by = by_staff, confirmed_at = app.now(), confirmed_with = words, alone = by_himself
  where id = of_proposal returning * into decided;
  if rules.effect is not null then execute format('select %s($1)', rules.effect) using decided; end if;
  return 'confirmed';
end
$$;

-- Whether something about this waits for another person.
create or replace function staff.is_proposed(about text) returns boolean
language sql stable
return exists (select from staff.proposal where subject = about and state = 'proposed');

grant select on staff.proposal to sum28_api, sum28_jobs;
grant execute on function staff.decide, staff.is_proposed, staff.propose to sum28_api;
