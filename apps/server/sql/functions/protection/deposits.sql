-- Deposits: credited, or held where they pass a limit or come against an exclusion.

select app.refuse('delete', 'protection.held_deposit');

-- Received deposits never change, and neither do decisions.
create or replace function protection.guard_held_deposit() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  named constant text[] := '{refund_reference,refund_key,refund_chain,refund_corrected_by,decided_at}';
begin
  new.refund_key := app.reference_key(new.refund_reference);
  if old.state <> 'held' and not (
      old.refund_chain is not distinct from 'awaited'
        and to_jsonb(new) - 'refund_chain' = to_jsonb(old) - 'refund_chain'
      -- Another person than who recorded the payment says that the bank sent it back.
      or (old.refund_chain is null and old.refund_returned_by is null
          and new.refund_returned_by <> coalesce(old.refund_corrected_by, old.decided_by)) is true
        and to_jsonb(new) - 'refund_returned_by' = to_jsonb(old) - 'refund_returned_by'
      -- Another person than who named the payment last names another, until the chain shows it, or its bank returns it.
      or (new.refund_key <> old.refund_key
          and new.refund_corrected_by <> coalesce(old.refund_corrected_by, old.decided_by)
          and (old.refund_chain in ('awaited', 'wrong') and new.refund_chain = 'awaited'
            or num_nulls(old.refund_chain, new.refund_chain, old.refund_returned_by) = 3)) is true
        and to_jsonb(new) - named = to_jsonb(old) - named
      -- Another payment takes the place of one that the chain does not show as this refund, or that the bank sent back.
      or (old.refund_chain = 'wrong' or old.refund_returned_by is not null) is true
        and (new.state, new.refund_chain, new.refund_returned_by, new.refund_corrected_by, new.asked_back_at,
            new.for_staff)
          is not distinct from (old.state, case when old.refund_chain is not null then 'awaited' end, null::integer,
            null::integer, old.asked_back_at, old.for_staff)
        and new.refund_key <> old.refund_key and new.decided_by is not null)
    or (new.id, new.player_id, new.amount, new.reference, new.from_address, new.because, new.held_at)
      is distinct from
       (old.id, old.player_id, old.amount, old.reference, old.from_address, old.because, old.held_at)
  then
    raise exception 'held deposit % is decided, and what came never changes', old.id
      using errcode = 'restrict_violation';
  end if;
  if not app.is_plain_reference(new.refund_reference) then
    raise exception 'the reference of a payment is printable ASCII' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger held_deposit_guarded before update on protection.held_deposit
  for each row execute function protection.guard_held_deposit();

-- Whether a deposit is still to be credited or paid back: it is held, or was paid back by a payment that the chain has
-- not shown or that a bank sent back.
create or replace function protection.is_unresolved(deposit protection.held_deposit) returns boolean
language sql immutable
return coalesce(deposit.state = 'held' or deposit.refund_chain in ('awaited', 'wrong')
  or deposit.refund_returned_by is not null, false);

-- Counts credited deposits. The caller holds the balances.
create or replace function protection.count_deposits(movements wallet.movement[], moment timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  starts_now constant date[] := protection.starts_at(moment);
begin
  update protection.player
  set starts = protection.later_starts(starts, starts_now),
    staked = protection.sums_now(staked, starts, starts_now),
    paid_out = protection.sums_now(paid_out, starts, starts_now),
    deposited = protection.each_more(protection.sums_now(deposited, starts, starts_now), credited.amount)
  from (
    select each.player_id, sum(each.amount)::bigint as amount from unnest(movements) each group by each.player_id
  ) credited
  where player.player_id = credited.player_id;
end
$$;

-- Ends the counting of an amount that was counted at a moment: in each period that has not begun anew since. The caller
-- holds the balance.
create or replace function protection.uncount_deposit(of_player integer, amount bigint, counted_at timestamptz)
returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  update protection.player
  set deposited = array[
    case when local_time >= starts[1] then greatest(0, deposited[1] - amount) else deposited[1] end,
    case when local_time >= starts[2] then greatest(0, deposited[2] - amount) else deposited[2] end,
    case when local_time >= starts[3] then greatest(0, deposited[3] - amount) else deposited[3] end]
  from (select counted_at at time zone time_zone as local_time from protection.house) clock
  where player_id = of_player;
end;

-- Whether a deposit has to be held now, and why: excluded, review, limit, or null. The caller holds the balance.
create or replace function protection.why_held(of_player integer, amount bigint, moment timestamptz) returns text
language sql stable set search_path = pg_catalog, pg_temp
return case
  when exists (select from protection.player where player_id = of_player and excluded_until > moment) then 'excluded'
  when exists (select from protection.player where player_id = of_player and under_review) then 'review'
  when protection.limit_exceeded(of_player, '{deposit}', amount, protection.starts_at(moment)) is not null then 'limit'
  end;

-- Whether no day lets a deposit in: its player is in a break, or it is above the whole of one of his limits.
create or replace function protection.is_kept_out(of_player integer, amount bigint, moment timestamptz) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from protection.player where player_id = of_player and excluded_until > moment)
  or exists (select from protection.limits_of(of_player) bound
    where bound.kind = 'deposit' and bound.amount < is_kept_out.amount);

-- Credits deposits, or holds them: those of a player who is excluded or under review, and, in their order, those that
-- would exceed a limit of deposits. origins: the sender's address of each, or null. Returns those that are credited.
create or replace function protection.credit_deposits(movements wallet.movement[], origins text[])
returns table (player_id integer, reference text)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz;
  free wallet.movement[];
  deposit wallet.movement;
  position integer := 0;
  why text;
begin
  perform from ledger.balance where holder_id in (select each.player_id from unnest(movements) each)
  order by holder_id for no key update;
  moment := app.now();
  -- Most players have no limit, and theirs are credited together.
  free := array(select each from unnest(movements) each
    where not protection.is_bound(each.player_id, moment));
  perform protection.count_deposits(free, moment);
  foreach deposit in array movements loop
    position := position + 1;
    continue when not protection.is_bound(deposit.player_id, moment);
    why := protection.why_held(deposit.player_id, deposit.amount, moment);
    if why is null then
      free := free || deposit;
      perform protection.count_deposits(array[deposit], moment);
    else
      perform wallet.move('deposit_held', array[deposit]);
      insert into protection.held_deposit (player_id, amount, reference, from_address, because, for_staff, held_at)
      values (deposit.player_id, deposit.amount, deposit.reference, origins[position], why,
        protection.is_kept_out(deposit.player_id, deposit.amount, moment), moment);
    end if;
  end loop;
  perform wallet.move('deposit', free);
  return query select done.player_id, done.reference from unnest(free) done;
end
$$;

-- Whether deposits of a player may have to be held.
create or replace function protection.is_bound(of_player integer, moment timestamptz) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from protection.player
    where player_id = of_player and (excluded_until > moment or under_review))
  or exists (select from protection.limits_of(of_player) bound where bound.kind = 'deposit');

-- Records that a player wants a held deposit paid back. Answers 'asked', not_found, decided, or below_minimum: to pay
-- dust back costs more than it.
create or replace function protection.ask_back(of_player integer, deposit bigint) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked protection.held_deposit;
begin
  select * into asked from protection.held_deposit where id = deposit and player_id = of_player for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'held' then return 'decided'; end if;
  if asked.amount < 1000000 then return 'below_minimum'; end if;
  update protection.held_deposit set for_staff = true, asked_back_at = coalesce(asked_back_at, app.now())
  where id = deposit;
  return 'asked';
end
$$;

-- Whether every held deposit stays held now: after a restore one may be paid back already.
create or replace function protection.keeps_deposits() returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return coalesce((select keeps_deposits_until > app.now() from protection.house), false);

-- Credits held deposits that nothing blocks any more, the oldest of a player first; returns them. One that its player
-- wants back, that staff are paying or taking back, or that one of them had to pay back and nobody else has released,
-- stays held. Deposits that stay held are left out before the rows are counted: however many of them there are, they do
-- not block others.
create or replace function protection.release_deposits(deposits_max integer, on_day date)
returns table (player_id integer, amount bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz;
  waiting protection.held_deposit;
  movement wallet.movement;
begin
  -- Those that no day will let in any more, though one would have when they came, are for staff. Not in the transaction
  -- of the break: that has locked the player, and whoever decides about a deposit locks it before its player.
  update protection.held_deposit set for_staff = true
  where id in (
    select id from protection.held_deposit held
    where state = 'held' and not for_staff and protection.is_kept_out(held.player_id, held.amount, app.now())
    for update skip locked);
  if protection.keeps_deposits() then return; end if;
  for waiting in
    select * from protection.held_deposit held
    where state = 'held' and asked_back_at is null and not staff.is_proposed('held_deposit:' || held.id)
      and not staff.is_denied('held_deposit:' || held.id) and protection.why_held(held.player_id, held.amount, app.now()) is null
    order by player_id, id limit deposits_max
    for update skip locked
  loop
    perform protection.lock_player(waiting.player_id);
    moment := app.now();
    -- It may have been proposed, or given back, while this waited for its lock.
    continue when staff.is_proposed('held_deposit:' || waiting.id) or staff.is_denied('held_deposit:' || waiting.id);
    continue when protection.why_held(waiting.player_id, waiting.amount, moment) is not null;
    movement := row(waiting.player_id, on_day, waiting.amount, waiting.reference);
    perform protection.count_deposits(array[movement], moment);
    perform wallet.move('deposit_released', array[movement]);
    update protection.held_deposit set state = 'released', decided_at = moment where id = waiting.id;
    player_id := waiting.player_id;
    amount := waiting.amount;
    return next;
  end loop;
end
$$;

grant execute on function protection.ask_back, protection.is_unresolved to sum28_api;
grant execute on function protection.release_deposits to sum28_jobs;
