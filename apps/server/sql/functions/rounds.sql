-- The life of a round: open, sealed, drawn, settled; or voided. And its draw.

-- Whether a round may be voided for a reason at a moment. There is no other reason than these:
--   sealed_late  it has ended, and was not sealed before its end
--   beacon_late  it was sealed; the announced deadline has passed, and no value was stored by then
--   two_persons  it has not ended, and one person confirmed what another had proposed
create or replace function rounds.void_is_proved(of_round rounds.round, reason text, moment timestamptz)
returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return case reason
  when 'sealed_late' then moment >= of_round.draws_at and of_round.sealed_at is null
  when 'beacon_late' then moment >= of_round.voids_at and of_round.sealed_at is not null
    and not exists (select from rounds.value
      where value.game_id = of_round.game_id and value.issue = of_round.issue)
  when 'two_persons' then moment < of_round.draws_at
    and exists (select from staff.proposal
      where kind = 'void' and subject = 'round:' || of_round.game_id || ':' || of_round.issue
        and proposal.state = 'confirmed')
  else false
  end;

-- When the value that decides a round exists, for everybody and no earlier.
create or replace function rounds.value_at(of_round rounds.round) returns timestamptz
language sql immutable
return to_timestamp(of_round.beacon_genesis + (of_round.beacon_round - 1) * of_round.beacon_period);

-- Whether a witness saw the closed book before the value existed; null if the round has no book.
create or replace function rounds.was_witnessed(of_round rounds.round) returns boolean
language sql immutable
return case when of_round.sealed_at is not null
  then coalesce(of_round.witnessed_at < rounds.value_at(of_round), false) end;

-- States only go forward, announced data never changes, and a void is proved, whoever asks for it.
create or replace function rounds.guard_round() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (old.state, new.state) not in (
    ('open', 'open'), ('open', 'sealed'), ('open', 'voided'),
    ('sealed', 'sealed'), ('sealed', 'drawn'), ('sealed', 'voided'),
    ('drawn', 'drawn'), ('drawn', 'settled'), ('settled', 'settled'), ('voided', 'voided'))
  then
    raise exception 'round % of game % cannot go from % to %', old.issue, old.game_id, old.state, new.state
      using errcode = 'restrict_violation';
  end if;
  if (new.state = 'voided' or new.void_reason is not null)
    and (new.state, new.void_reason) is distinct from (old.state, old.void_reason)
    and not (new.voided_at <= app.now()
      and rounds.void_is_proved(old, new.void_reason, new.voided_at)
      and rounds.void_is_proved(old, new.void_reason, app.now()))
  then
    raise exception 'round % of game % is not voided: % is not proved', old.issue, old.game_id, new.void_reason
      using errcode = 'restrict_violation';
  end if;
  if (new.game_id, new.issue, new.game_day, new.number, new.opens_at, new.seals_at, new.draws_at,
      new.chain_id, new.chain_index, new.beacon_kind, new.beacon_chain_hash, new.beacon_public_key,
      new.beacon_scheme, new.beacon_round, new.beacon_genesis, new.beacon_period, new.voids_at)
    is distinct from
     (old.game_id, old.issue, old.game_day, old.number, old.opens_at, old.seals_at, old.draws_at,
      old.chain_id, old.chain_index, old.beacon_kind, old.beacon_chain_hash, old.beacon_public_key,
      old.beacon_scheme, old.beacon_round, old.beacon_genesis, old.beacon_period, old.voids_at)
    or (old.sealed_at is not null and (new.sealed_at, new.book_root, new.book_size)
      is distinct from (old.sealed_at, old.book_root, old.book_size))
    or (old.witnessed_at is not null and new.witnessed_at is distinct from old.witnessed_at)
    or (old.settled_at is not null and new.settled_at is distinct from old.settled_at)
    or (old.voided_at is not null and (new.voided_at, new.void_reason)
      is distinct from (old.voided_at, old.void_reason))
  then
    raise exception 'what was announced of round % of game % never changes', old.issue, old.game_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create or replace trigger round_guarded before update on rounds.round
  for each row execute function rounds.guard_round();

select app.refuse('delete', 'rounds.round');
select app.refuse('update or delete', 'rounds.draw', 'rounds.value', 'rounds.voided_seed');

-- Staff decide while nobody can know the result, whatever times a row names.
create or replace function rounds.guard_void() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from rounds.round where game_id = split_part(new.subject, ':', 2)::smallint
    and issue = split_part(new.subject, ':', 3)::bigint and app.now() < draws_at)
  then
    raise exception '% has ended: nobody decides any more to void it', new.subject
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create or replace trigger void_decided_in_time before insert or update on staff.proposal
  for each row when (new.kind = 'void' and new.state in ('proposed', 'confirmed'))
  execute function rounds.guard_void();

-- Opens a round with the next seed of its game's first chain that has one. False if it exists already, and while the
-- clocks disagree: a round of a time to come would take the seed before those of earlier rounds, which disclose it. The
-- round runs now, as long as one can (an hour; a day until its void), and bears its day's name: rows never change, and one
-- of the year 9999 would be the running round for ever.
create or replace function rounds.open(
  game_id smallint, issue bigint, game_day date, number integer,
  opens_at timestamptz, seals_at timestamptz, draws_at timestamptz, chain_id integer,
  beacon_kind text, beacon_chain_hash text, beacon_public_key text, beacon_scheme text,
  beacon_genesis bigint, beacon_period integer, beacon_round bigint, voids_at timestamptz
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  next_index integer;
begin
  if (select games.clocks_apart(house) from games.house) then return false; end if;
  if (app.now() between opens_at - interval '1 minute' and draws_at
    and draws_at <= opens_at + interval '1 hour' and voids_at <= draws_at + interval '24 hours'
    and starts_with(issue::text, to_char(game_day, 'YYYYMMDD'))
    and abs(game_day - protection.day_of(opens_at)) <= 1) is not true
  then
    raise exception 'round % of game % is none of now', issue, game_id;
  end if;
  -- If another process has opened the round already, that round stays, and the seed taken here counts as unused again.
  begin
    update fairness.chain set used = used + 1
    where chain.id = chain_id and used < length and chain.id = (select min(id) from fairness.chain first
      where first.game_id = game_id and first.used < first.length)
    returning used into next_index;
    if next_index is null then
      raise exception 'chain % does not have the next seed of game %', chain_id, game_id;
    end if;
    insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id,
      chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis,
      beacon_period, beacon_round, voids_at)
    values (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id,
      next_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis,
      beacon_period, beacon_round, voids_at);
  exception when unique_violation then
    return false;
  end;
  return true;
end
$$;

-- Locks a round for a step of its life; bets take the same lock. The step judges by the returned row and reads the
-- time afterwards, because the wait for the lock may have been long. A row of nulls if there is no such round.
create or replace function rounds.lock(of_game integer, of_issue bigint) returns rounds.round
language sql volatile
begin atomic
  select * from rounds.round where game_id = of_game and issue = of_issue for no key update;
end;

-- Stores the beacon's value of a round, which the caller has verified: before the deadline, and the round can then
-- only be drawn; or after its void, to show what the draw would have been. False if it is too early or late, or if a
-- value is stored already.
create or replace function rounds.store_value(
  game_id smallint, issue bigint, beacon_signature bytea, randomness bytea
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  locked_round rounds.round := rounds.lock(game_id, issue);
  moment timestamptz := app.now();
begin
  if locked_round.state = 'voided' then
    if moment < locked_round.draws_at then return false; end if;
  elsif locked_round.state is distinct from 'sealed' or moment < locked_round.draws_at
    or moment >= locked_round.voids_at
  then
    return false;
  end if;
  -- A value that came after a void is dated no earlier than the void, also where the clock jumped back.
  insert into rounds.value (game_id, issue, beacon_signature, randomness, stored_at)
  values (game_id, issue, beacon_signature, randomness, greatest(moment, locked_round.voided_at))
  on conflict on constraint value_pkey do nothing;
  return found;
end
$$;

-- Stores the draw of a sealed round: once, not before its time, and with the value that was stored before its
-- deadline. False if the round may not be drawn, or is drawn.
create or replace function rounds.draw(
  game_id smallint, issue bigint, seed bytea, beacon_signature bytea, randomness bytea, digits smallint[]
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  locked_round rounds.round := rounds.lock(game_id, issue);
  moment timestamptz := app.now();
  stored_value rounds.value;
begin
  if locked_round.state is distinct from 'sealed' or moment < locked_round.draws_at then return false; end if;
  select * into stored_value from rounds.value where value.game_id = game_id and value.issue = issue;
  if stored_value.issue is null then
    if not rounds.store_value(game_id, issue, beacon_signature, randomness) then return false; end if;
  elsif (stored_value.beacon_signature, stored_value.randomness) is distinct from (beacon_signature, randomness) then
    raise exception 'round % of game % is drawn with the value that was stored, and with no other', issue, game_id
      using errcode = 'restrict_violation';
  end if;
  insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
  values (game_id, issue, seed, beacon_signature, randomness, digits[1], digits[2], digits[3]);
  update rounds.round set state = 'drawn' where round.game_id = game_id and round.issue = issue;
  return true;
end
$$;

-- Voids a round that cannot be drawn; bets.settle returns its stakes. False if the reason is not proved.
create or replace function rounds.void(game_id smallint, issue bigint, reason text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  locked_round rounds.round := rounds.lock(game_id, issue);
  moment timestamptz := app.now();
begin
  if locked_round.state is null or locked_round.state not in ('open', 'sealed') then return false; end if;
  if not rounds.void_is_proved(locked_round, reason, moment) then return false; end if;
  update rounds.round set state = 'voided', voided_at = moment, void_reason = reason
  where round.game_id = game_id and round.issue = issue;
  return true;
end
$$;

-- Locks the round of a proposal to void it. Answers null while nobody can know its result, or not_found, decided or
-- too_late.
create or replace function rounds.judge_void(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  locked_round rounds.round := rounds.lock(split_part(proposed.subject, ':', 2)::integer,
    split_part(proposed.subject, ':', 3)::bigint);
begin
  if locked_round.state is null then return 'not_found'; end if;
  if locked_round.state not in ('open', 'sealed') then return 'decided'; end if;
  -- So early that the log has it, signed by a witness, before the value exists.
  if app.now() >= locked_round.draws_at - interval '10 seconds' then return 'too_late'; end if;
  return null;
end
$$;

-- Voids a round as two persons have decided.
create or replace function rounds.void_by_two(confirmed staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  update rounds.round set state = 'voided', voided_at = app.now(), void_reason = 'two_persons'
  where game_id = split_part((confirmed).subject, ':', 2)::smallint
    and issue = split_part((confirmed).subject, ':', 3)::bigint;
end;

-- Voided rounds with data still to be published: the seed, after the round's end and when no earlier round of the
-- chain waits for its draw (its seed could be computed from this one), however late; and the beacon's value, which is
-- searched for until 30 days after that.
create or replace function rounds.to_publish(of_game smallint)
returns table (game_id smallint, issue bigint, chain_id integer, chain_index integer,
  beacon_chain_hash text, beacon_round bigint, seed_due boolean, value_due boolean)
language sql stable
begin atomic
  select voided.game_id, voided.issue, voided.chain_id, voided.chain_index, voided.beacon_chain_hash,
    voided.beacon_round, due.seed, due.value
  from rounds.round voided
  left join rounds.voided_seed published on published.game_id = voided.game_id and published.issue = voided.issue
  cross join lateral (
    select
      published.issue is null
      and not exists (select from rounds.round earlier
        where earlier.chain_id = voided.chain_id and earlier.chain_index < voided.chain_index
          and earlier.settled_at is null and earlier.state in ('open', 'sealed')) as seed,
      (published.issue is null or published.published_at > (select app.now()) - interval '30 days')
      and not exists (select from rounds.value stored_value
        where stored_value.game_id = voided.game_id and stored_value.issue = voided.issue) as value
  ) due
  where voided.game_id = of_game and state = 'voided'
    and draws_at <= (select app.now())
    and (due.seed or due.value)
  order by voided_at desc
  limit 8;
end;

-- Publishes the seed of a voided round, once. False if it is too early, or it is published already.
create or replace function rounds.publish_seed(game_id smallint, issue bigint, seed bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  locked_round rounds.round := rounds.lock(game_id, issue);
  moment timestamptz := app.now();
begin
  if locked_round.state is distinct from 'voided' or moment < locked_round.draws_at
    or exists (select from rounds.round earlier
      where earlier.chain_id = locked_round.chain_id and earlier.chain_index < locked_round.chain_index
        and earlier.settled_at is null and earlier.state in ('open', 'sealed'))
  then
    return false;
  end if;
  insert into rounds.voided_seed (game_id, issue, seed, published_at)
  values (game_id, issue, seed, moment)
  on conflict on constraint voided_seed_pkey do nothing;
  return found;
end
$$;

-- The same check for every insert, the owner's too: a draw that is inserted by hand is refused.
create or replace function rounds.guard_draw() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (
    select from rounds.round
    where round.game_id = new.game_id and round.issue = new.issue and state = 'sealed')
  then
    raise exception 'round % of game % is not sealed, and is not drawn', new.issue, new.game_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create or replace trigger draw_guarded before insert on rounds.draw
  for each row execute function rounds.guard_draw();

create or replace function rounds.count_result() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into rounds.day (game_id, game_day, results) values (new.game_id, new.game_day, 1)
  on conflict (game_id, game_day) do update set results = day.results + 1;
  return null;
end
$$;

create or replace trigger round_result_counted after update on rounds.round
  for each row
  when (old.state in ('open', 'sealed') and new.state in ('drawn', 'voided'))
  execute function rounds.count_result();

grant select on rounds.round, rounds.value, rounds.voided_seed to sum28_application;
grant select on rounds.day, rounds.draw to sum28_api, sum28_jobs;
grant execute on function rounds.value_at, rounds.was_witnessed to sum28_application;
grant execute on function rounds.draw, rounds.open, rounds.publish_seed, rounds.store_value, rounds.to_publish,
  rounds.void to sum28_engine;
