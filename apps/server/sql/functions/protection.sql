-- Player protection: limits, the reality check, exclusion, alike accounts, held deposits. Everything here is judged
-- and counted under the lock of the player's balance, which every movement of his money takes too.

create or replace function protection.open_with_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into protection.player (player_id) values (new.id);
  return null;
end
$$;

-- A robot is a program of the operator's and needs no protection.
create or replace trigger protection_opens after insert on accounts.player
  for each row when (new.kind = 'person') execute function protection.open_with_account();

create or replace trigger change_never_changes before update or delete on protection.change
  for each row execute function app.refuse_change();

create or replace trigger change_never_truncated before truncate on protection.change
  for each statement execute function app.refuse_change();

create or replace trigger held_deposit_never_deleted before delete on protection.held_deposit
  for each row execute function app.refuse_change();

-- Received deposits never change, and neither do decisions.
create or replace function protection.guard_held_deposit() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.state <> 'held'
    or (new.id, new.player_id, new.amount, new.reference, new.from_address, new.because, new.held_at)
      is distinct from
       (old.id, old.player_id, old.amount, old.reference, old.from_address, old.because, old.held_at)
  then
    raise exception 'held deposit % is decided, and what came never changes', old.id
      using errcode = 'restrict_violation';
  end if;
  if new.return_reference is not null and (not app.is_plain_reference(new.return_reference)
    or new.return_key is distinct from app.reference_key(new.return_reference))
  then
    raise exception 'the reference of a payment is printable ASCII, and its key follows from it'
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger held_deposit_guarded before update on protection.held_deposit
  for each row execute function protection.guard_held_deposit();

create or replace trigger held_deposit_never_truncated before truncate on protection.held_deposit
  for each statement execute function app.refuse_change();

-- A moment in Unix seconds, as text, rounded up from its milliseconds: the same number as in other replies, which are
-- made of the moment as JavaScript reads it.
create or replace function protection.seconds_of(moment timestamptz) returns text
language sql immutable
return ceil(trunc(extract(epoch from moment), 3))::bigint::text;

-- The first days of the periods that contain a moment, in a time zone: day, week from Monday, month.
create or replace function protection.starts_in(zone text, moment timestamptz) returns date[]
language sql immutable
return array[(moment at time zone zone)::date, date_trunc('week', moment at time zone zone)::date,
  date_trunc('month', moment at time zone zone)::date];

-- The same in the house's time zone.
create or replace function protection.starts_at(moment timestamptz) returns date[]
language sql stable
begin atomic
  select protection.starts_in(time_zone, moment) from protection.house;
end;

-- A player's present periods. If the clock was set back, periods that have begun continue.
create or replace function protection.later_starts(began date[], now_begin date[]) returns date[]
language sql immutable
return array[greatest(began[1], now_begin[1]), greatest(began[2], now_begin[2]), greatest(began[3], now_begin[3])];

-- Totals of the present periods: a period that has begun since starts at zero.
create or replace function protection.sums_now(sums bigint[], began date[], now_begin date[]) returns bigint[]
language sql immutable
return array[
  case when now_begin[1] > began[1] then 0 else sums[1] end,
  case when now_begin[2] > began[2] then 0 else sums[2] end,
  case when now_begin[3] > began[3] then 0 else sums[3] end];

-- The same amount in each period.
create or replace function protection.each_more(sums bigint[], amount bigint) returns bigint[]
language sql immutable
return array[sums[1] + amount, sums[2] + amount, sums[3] + amount];

-- Totals with new amounts added (1) or subtracted (-1); null if there are none.
create or replace function protection.sums_plus(sums bigint[], more numeric[], sign integer) returns bigint[]
language sql immutable
return array[sums[1] + sign * coalesce(more[1], 0), sums[2] + sign * coalesce(more[2], 0),
  sums[3] + sign * coalesce(more[3], 0)];

create or replace function protection.place_of(period text) returns integer
language sql immutable
return array_position(array['day', 'week', 'month'], period);

-- When a period that began on a day ends, and the next one starts.
create or replace function protection.end_of(period text, began date) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select (began + ('1 ' || period)::interval) at time zone time_zone from protection.house;
end;

-- The limits that apply to a player: his own, the operator's and the law's, in micro-units. It has no setting of its
-- own, so that PostgreSQL can inline it into the calling query.
create or replace function protection.limits_of(of_player integer)
returns table (source text, kind text, period text, amount bigint)
language sql stable
begin atomic
  select 'player', kind, period, amount from protection.player_limit
  where player_id = of_player and amount is not null
  union all
  select source, kind, period, amount from protection.house_limit;
end;

-- A player's totals, for comparison with his limits. Open stakes count as lost until they are paid.
create or replace function protection.spent(of_kind text, place integer, staked bigint[], returned bigint[],
  deposited bigint[]) returns bigint
language sql immutable
return case of_kind when 'deposit' then deposited[place] when 'stake' then staked[place]
  else staked[place] - returned[place] end;

-- A player's limits of some kinds that a further amount would exceed, with the used part of each in its period.
-- starts_now: from starts_at. PostgreSQL inlines it, like limits_of.
create or replace function protection.limits_passed(of_player integer, kinds text[], more bigint,
  starts_now date[])
returns table (kind text, period text, amount bigint, spent bigint, began date, place integer)
language sql stable
begin atomic
  select bound.kind, bound.period, bound.amount, used.spent, greatest(starts[place], starts_now[place]), place
  from protection.player
    cross join lateral protection.limits_of(player_id) bound
    -- "offset 0": each is computed once, and not anew for each use.
    cross join lateral (select protection.place_of(bound.period) as place offset 0) position
    cross join lateral (select case when starts_now[place] > starts[place] then 0
      else protection.spent(bound.kind, place, staked, returned, deposited) end as spent offset 0) used
  where player_id = of_player and bound.kind = any (kinds) and used.spent + more > bound.amount;
end;

-- What the player is told of the limit that an amount more would pass: the one with the least left, and of
-- several the one that begins anew last. Null where none is passed.
create or replace function protection.limit_exceeded(of_player integer, kinds text[], more bigint,
  starts_now date[]) returns jsonb
language sql stable
begin atomic
  select jsonb_build_object('limit', kind, 'period', period, 'amount', amount::text,
    'left', greatest(0, amount - spent)::text,
    'begins_at', protection.seconds_of(protection.end_of(period, began)))
  from protection.limits_passed(of_player, kinds, more, starts_now)
  order by amount - spent, place desc
  limit 1;
end;

-- Whether a player's session of play is active: he has placed a bet, or acknowledged a check, recently.
create or replace function protection.in_session(standing protection.player, moment timestamptz,
  house protection.house) returns boolean
language sql stable
return coalesce(moment < standing.session_active_at + house.session_break, false);

-- When the next reality check of the running session is due; null if there is no session.
create or replace function protection.check_due_at(standing protection.player, moment timestamptz,
  house protection.house) returns timestamptz
language sql stable
return case when protection.in_session(standing, moment, house)
  then standing.checked_at + coalesce(standing.check_every, house.check_every_default) end;

-- The facts that a reality check shows the player: since when he plays, and what he staked and got back.
create or replace function protection.session_facts(standing protection.player, moment timestamptz) returns jsonb
language sql stable
return jsonb_build_object(
  'began_at', protection.seconds_of(standing.session_began_at),
  'elapsed_s', floor(extract(epoch from moment - standing.session_began_at))::bigint::text,
  'staked', standing.session_staked::text, 'won', standing.session_returned::text,
  'net', (standing.session_returned - standing.session_staked)::text);

-- Judges stakes, at most one of a player. The caller holds the balances. Returns a row for each player who may not
-- stake this much now: excluded, under_review, reality_check_due or limit_reached, with the facts for him.
create or replace function protection.judge_stakes(players integer[], totals bigint[], moment timestamptz)
returns table (player_id integer, reason text, facts jsonb)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  starts_now constant date[] := protection.starts_at(moment);
begin
  return query
  select player.player_id, verdict.reason, case verdict.reason
    when 'excluded' then protection.exclusion_facts(player.excluded_until)
    when 'under_review' then '{}'
    when 'reality_check_due' then protection.session_facts(player, moment)
    else protection.limit_exceeded(asked.player_id, '{stake,loss}', asked.total, starts_now) end
  from unnest(players, totals) as asked (player_id, total)
    join protection.player on player.player_id = asked.player_id
    cross join protection.house
    cross join lateral (select case
      when player.excluded_until > moment then 'excluded'
      when player.under_review then 'under_review'
      when protection.check_due_at(player, moment, house) <= moment then 'reality_check_due'
      when exists (
        select from protection.limits_passed(asked.player_id, '{stake,loss}', asked.total, starts_now)
      ) then 'limit_reached'
    end as reason offset 0) verdict
  where verdict.reason is not null;
end
$$;

create or replace function protection.exclusion_facts(until timestamptz) returns jsonb
language sql immutable
return case when until < 'infinity'
  then jsonb_build_object('until', protection.seconds_of(until)) else '{}' end;

-- Counts accepted stakes, and continues the players' sessions of play, or begins them.
create or replace function protection.count_stakes(players integer[], totals bigint[], moment timestamptz)
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  starts_now constant date[] := protection.starts_at(moment);
begin
  update protection.player
  set starts = protection.later_starts(player.starts, starts_now),
    staked = protection.each_more(protection.sums_now(player.staked, player.starts, starts_now), asked.total),
    returned = protection.sums_now(player.returned, player.starts, starts_now),
    deposited = protection.sums_now(player.deposited, player.starts, starts_now),
    session_began_at = case when goes_on then player.session_began_at else moment end,
    checked_at = case when goes_on then player.checked_at else moment end,
    session_staked = asked.total + case when goes_on then player.session_staked else 0 end,
    session_returned = case when goes_on then player.session_returned else 0 end,
    session_active_at = greatest(moment, case when goes_on then player.session_active_at end)
  from (
    select standing.player_id, each.total, protection.in_session(standing, moment, house) as goes_on
    from unnest(players, totals) as each (player_id, total)
      join protection.player standing on standing.player_id = each.player_id
      cross join protection.house
  ) asked
  where player.player_id = asked.player_id;
end
$$;

-- Counts the payouts of settled bets, and subtracts the stakes of refunded ones. Each counts for the periods and the
-- session in which it was accepted, as long as they last. Lost bets change nothing. The caller holds the balances.
create or replace function protection.count_settled(players integer[], accepted timestamptz[],
  refunded bigint[], paid bigint[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update protection.player
  set staked = protection.sums_plus(staked, back.refunded, -1),
    returned = protection.sums_plus(returned, back.paid, 1),
    session_staked = session_staked - coalesce(back.session_refunded, 0),
    session_returned = session_returned + coalesce(back.session_paid, 0)
  from (
    select player_id,
      array[sum(stake_back) filter (where day), sum(stake_back) filter (where week),
        sum(stake_back) filter (where month)] as refunded,
      array[sum(payout) filter (where day), sum(payout) filter (where week),
        sum(payout) filter (where month)] as paid,
      sum(stake_back) filter (where session) as session_refunded,
      sum(payout) filter (where session) as session_paid
    from unnest(players, accepted, refunded, paid) as settled (of_player, at, stake_back, payout)
      join protection.player standing on standing.player_id = of_player
      cross join protection.house
      cross join lateral (select protection.starts_in(time_zone, at) as starts_then offset 0) clock
      cross join lateral (select starts_then[1] >= starts[1] as day, starts_then[2] >= starts[2] as week,
        starts_then[3] >= starts[3] as month, at >= session_began_at as session) counts
    where stake_back + payout > 0
    group by player_id
  ) back
  where player.player_id = back.player_id;
end
$$;

-- Locks a player's balance and returns his row: every change of it and every judgement by it does this first.
create or replace function protection.lock_player(of_player integer) returns protection.player
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  standing protection.player;
begin
  perform from ledger.balance where holder_id = of_player for no key update;
  select * into standing from protection.player where player_id = of_player;
  return standing;
end
$$;

create or replace function protection.log_change(of_player integer, moment timestamptz, what text, details jsonb)
returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into protection.change (player_id, at, what, details) values (of_player, moment, what, details);
end;

-- Counts credited deposits. The caller holds the balances.
create or replace function protection.count_deposits(movements wallet.movement[], moment timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  starts_now constant date[] := protection.starts_at(moment);
begin
  update protection.player
  set starts = protection.later_starts(starts, starts_now),
    staked = protection.sums_now(staked, starts, starts_now),
    returned = protection.sums_now(returned, starts, starts_now),
    deposited = protection.each_more(protection.sums_now(deposited, starts, starts_now), came.amount)
  from (
    select each.player_id, sum(each.amount)::bigint as amount from unnest(movements) each group by each.player_id
  ) came
  where player.player_id = came.player_id;
end
$$;

-- Whether a deposit has to be held now, and why: excluded, review, limit, or null. The caller holds the balance.
create or replace function protection.why_held(of_player integer, amount bigint, moment timestamptz) returns text
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select case
    when exists (select from protection.player where player_id = of_player and excluded_until > moment)
      then 'excluded'
    when exists (select from protection.player where player_id = of_player and under_review) then 'review'
    when protection.limit_exceeded(of_player, '{deposit}', amount, protection.starts_at(moment)) is not null then 'limit'
  end;
end;

-- Credits deposits, or holds them: those of a player who is excluded or under review, and, in their order, those that
-- would exceed a limit of deposits. origins: the sender's address of each, or null. Returns those that are credited.
create or replace function protection.credit_deposits(movements wallet.movement[], origins text[])
returns table (player_id integer, reference text)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz;
  free wallet.movement[];
  came wallet.movement;
  place integer := 0;
  why text;
begin
  perform from ledger.balance where holder_id in (select each.player_id from unnest(movements) each)
  order by holder_id for no key update;
  moment := app.now();
  -- Most players have no limit, and theirs are credited together.
  free := array(select each from unnest(movements) each
    where not protection.is_bound(each.player_id, moment));
  perform protection.count_deposits(free, moment);
  foreach came in array movements loop
    place := place + 1;
    continue when not protection.is_bound(came.player_id, moment);
    why := protection.why_held(came.player_id, came.amount, moment);
    if why is null then
      free := free || came;
      perform protection.count_deposits(array[came], moment);
    else
      perform wallet.hold_deposits(array[came]);
      insert into protection.held_deposit (player_id, amount, reference, from_address, because, held_at)
      values (came.player_id, came.amount, came.reference, origins[place], why, moment);
    end if;
  end loop;
  perform wallet.credit_deposits(free);
  return query select done.player_id, done.reference from unnest(free) done;
end
$$;

-- Whether deposits of a player may have to be held.
create or replace function protection.is_bound(of_player integer, moment timestamptz) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select exists (select from protection.player
      where player_id = of_player and (excluded_until > moment or under_review))
    or exists (select from protection.limits_of(of_player) bound where bound.kind = 'deposit');
end;

-- Credits held deposits that nothing blocks any more, the oldest of a player first; returns them. One that staff are
-- paying back stays held. Deposits that stay held are left out before the rows are counted: however many of them
-- there are, they do not block others.
create or replace function protection.release_deposits(deposits_max integer, on_day date)
returns table (player_id integer, amount bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz;
  waiting protection.held_deposit;
  movement wallet.movement;
begin
  for waiting in
    select * from protection.held_deposit held
    where state = 'held' and return_proposed_at is null
      and protection.why_held(held.player_id, held.amount, app.now()) is null
    order by player_id, id limit deposits_max
    for update skip locked
  loop
    perform protection.lock_player(waiting.player_id);
    moment := app.now();
    continue when protection.why_held(waiting.player_id, waiting.amount, moment) is not null;
    movement := row(waiting.player_id, on_day, waiting.amount, waiting.reference);
    perform protection.count_deposits(array[movement], moment);
    perform wallet.release_deposits(array[movement]);
    update protection.held_deposit set state = 'released', decided_at = moment where id = waiting.id;
    player_id := waiting.player_id;
    amount := waiting.amount;
    return next;
  end loop;
end
$$;

-- How long a player waits for a higher limit, and how long he may then confirm it.
create or replace function protection.raise_wait() returns interval
language sql immutable return interval '24 hours';

create or replace function protection.raise_open_for() returns interval
language sql immutable return interval '7 days';

-- Sets a player's own limit; without an amount he has none. A lower one applies at once, a higher one has to be
-- confirmed a day later. Answers 'lowered', 'raise_asked' or 'same'; each replaces a higher limit that was requested
-- before.
create or replace function protection.set_limit(of_player integer, of_kind text, of_period text, wanted bigint)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  before protection.player_limit;
  outcome text;
begin
  if standing.player_id is null then
    raise exception 'player % has no protection', of_player using errcode = 'foreign_key_violation';
  end if;
  select * into before from protection.player_limit
  where player_id = of_player and kind = of_kind and period = of_period;
  outcome := case when wanted is not distinct from before.amount then 'same'
    when before.amount is null or wanted < before.amount then 'lowered' else 'raise_asked' end;
  if outcome = 'same' and before.raise_asked_at is null then return outcome; end if;
  insert into protection.player_limit as own (player_id, kind, period, amount, set_at)
  values (of_player, of_kind, of_period, wanted, moment)
  on conflict (player_id, kind, period) do update
  set amount = case when outcome = 'lowered' then wanted else own.amount end,
    set_at = case when outcome = 'lowered' then moment else own.set_at end,
    raise_asked_at = case when outcome = 'raise_asked' then moment end,
    raise_amount = case when outcome = 'raise_asked' then wanted end;
  perform protection.log_change(of_player, moment, 'limit_' || outcome, jsonb_build_object(
    'kind', of_kind, 'period', of_period, 'before', before.amount::text, 'after', wanted::text));
  return outcome;
end
$$;

-- Confirms the higher limit that a player requested a day ago. Answers 'raised', not_asked or too_early.
create or replace function protection.confirm_raise(of_player integer, of_kind text, of_period text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  asked protection.player_limit;
begin
  select * into asked from protection.player_limit
  where player_id = standing.player_id and kind = of_kind and period = of_period;
  if asked.raise_asked_at is null
    or moment >= asked.raise_asked_at + protection.raise_wait() + protection.raise_open_for()
  then
    return 'not_asked';
  end if;
  if moment < asked.raise_asked_at + protection.raise_wait() then return 'too_early'; end if;
  update protection.player_limit
  set amount = raise_amount, set_at = moment, raise_asked_at = null, raise_amount = null
  where player_id = of_player and kind = of_kind and period = of_period;
  perform protection.log_change(of_player, moment, 'limit_raised', jsonb_build_object(
    'kind', of_kind, 'period', of_period, 'before', asked.amount::text, 'after', asked.raise_amount::text));
  return 'raised';
end
$$;

-- Marks and returns the higher limits that players can confirm now and were not notified of. There are no notices for
-- a closed or frozen account.
create or replace function protection.take_possible_raises(rows_max integer)
returns table (player_id integer, kind text, period text)
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update protection.player_limit told set raise_told_for = told.raise_asked_at
  from (
    select waiting.player_id, waiting.kind, waiting.period
    from protection.player_limit waiting, lateral (select app.now() as moment offset 0) clock
    where waiting.raise_asked_at is not null
      and waiting.raise_asked_at <= moment - protection.raise_wait()
      and waiting.raise_asked_at > moment - protection.raise_wait() - protection.raise_open_for()
      and waiting.raise_told_for is distinct from waiting.raise_asked_at
      and exists (select from accounts.player where player.id = waiting.player_id and state = 'active')
    order by waiting.raise_asked_at limit rows_max
    for update skip locked
  ) due
  where told.player_id = due.player_id and told.kind = due.kind and told.period = due.period
  returning told.player_id, told.kind, told.period;
end;

-- Sets after how much play a player gets the reality check. Answers 'set', or reality_check_due: a due one must be
-- acknowledged first.
create or replace function protection.set_check(of_player integer, every interval) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
begin
  if (select protection.check_due_at(standing, moment, house) <= moment from protection.house) then
    return 'reality_check_due';
  end if;
  update protection.player set check_every = every where player_id = of_player;
  perform protection.log_change(of_player, moment, 'check_set', jsonb_build_object(
    'before', extract(epoch from standing.check_every) / 60, 'after', extract(epoch from every) / 60));
  return 'set';
end
$$;

-- Acknowledges the reality check that is due, for all of the player's devices; without one nothing changes.
create or replace function protection.acknowledge_check(of_player integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
begin
  if (select coalesce(protection.check_due_at(standing, moment, house) > moment, true) from protection.house) then
    return false;
  end if;
  update protection.player set checked_at = moment, session_active_at = greatest(moment, session_active_at)
  where player_id = of_player;
  perform protection.log_change(of_player, moment, 'check_acknowledged',
    protection.session_facts(standing, moment));
  return true;
end
$$;

-- Excludes a player from betting and depositing, at once. An exclusion is never shortened: answers 'begun', or
-- already_excluded if one lasts at least as long. A self-exclusion ends only by end_exclusion.
create or replace function protection.exclude(of_player integer, of_kind text, lasting interval) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  ends constant timestamptz := moment + lasting;
begin
  if of_kind = 'time_out' and lasting between '24 hours' and '42 days' then
    if standing.excluded_until >= ends then return 'already_excluded'; end if;
    update protection.player set excluded_until = ends where player_id = of_player;
  elsif of_kind = 'self_exclusion' and lasting between '6 months' and '5 years' then
    if exists (select from protection.exclusion
      where player_id = of_player and kind = of_kind and ends_at >= ends) then return 'already_excluded'; end if;
    update protection.player set excluded_until = 'infinity' where player_id = of_player;
  else
    raise exception 'there is no % of %', of_kind, lasting using errcode = 'check_violation';
  end if;
  insert into protection.exclusion (player_id, kind, began_at, ends_at) values (of_player, of_kind, moment, ends);
  perform protection.log_change(of_player, moment, of_kind, jsonb_build_object(
    'until', protection.seconds_of(ends)));
  perform protection.find_alike(of_player, moment);
  return 'begun';
end
$$;

create or replace function protection.return_wait() returns interval
language sql immutable return interval '24 hours';

-- Requests the end of a self-exclusion whose time is over; the end comes a day later. Answers 'return_asked',
-- not_excluded or too_early. A review by staff continues, and so does a time-out that ends later.
create or replace function protection.ask_return(of_player integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  last_end timestamptz;
begin
  select max(ends_at) into last_end from protection.exclusion
  where player_id = of_player and kind = 'self_exclusion' and return_asked_at is null;
  if last_end is null or standing.excluded_until is distinct from 'infinity' then return 'not_excluded'; end if;
  if moment < last_end then return 'too_early'; end if;
  update protection.exclusion set return_asked_at = moment
  where player_id = of_player and kind = 'self_exclusion' and return_asked_at is null;
  -- A time-out may end later than a self-exclusion that was shared with this account.
  update protection.player set excluded_until = greatest(moment + protection.return_wait(),
    (select max(ends_at) from protection.exclusion where exclusion.player_id = of_player))
  where player_id = of_player;
  perform protection.log_change(of_player, moment, 'return_asked', '{}');
  return 'return_asked';
end
$$;

-- Whether staff have decided on a likeness since the other player's last break began: they are not asked again.
create or replace function protection.is_decided(of_player integer, other_player integer, in_kind text)
returns boolean
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select exists (select from protection.exclusion
    where player_id = of_player and like_player = other_player and like_in = in_kind
      and decided_at >= (select max(began_at) from protection.exclusion began
        where began.player_id = other_player and began.kind <> 'likeness'));
end;

-- Shows staff the accounts that existed before an exclusion and resemble the excluded player's. They are not held,
-- because a player can give another's wallet or document before he excludes himself.
create or replace function protection.find_alike(of_player integer, moment timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
  select distinct other.player_id, 'likeness', moment, own.player_id, own.kind
  from protection.mark own
    join protection.mark other on other.kind = own.kind and other.hash = own.hash and other.player_id <> own.player_id
    join protection.player standing on standing.player_id = other.player_id
    join protection.player excluded on excluded.player_id = own.player_id
  where own.player_id = of_player and not coalesce(standing.excluded_until >= excluded.excluded_until, false)
    and not protection.is_decided(other.player_id, of_player, own.kind)
  on conflict (player_id, like_player, like_in) where kind = 'likeness' and decided_at is null do nothing;
end
$$;

-- When an account may give another number of a document, wallet or card; null: now. It may give 6 new ones within 24
-- hours and 15 within 30 days. If the clock was set back, numbers given later count as well.
create or replace function protection.next_number_at(of_player integer, moment timestamptz) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select max(oldest.noted_at + allowed.within)
  from (values (6, interval '24 hours'), (15, interval '30 days')) allowed (numbers, within)
    cross join lateral (
      select noted_at from protection.mark where player_id = of_player and counts
      order by noted_at desc offset allowed.numbers - 1 limit 1
    ) oldest
  where oldest.noted_at + allowed.within > moment;
end;

-- Holds an account for staff if one of the hashes is also that of an excluded player, or of an account under review.
-- The player learns nothing in either case.
create or replace function protection.hold_alike(of_player integer, of_kind text, hashes bytea[], moment timestamptz)
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into protection.exclusion (player_id, kind, began_at, like_player, like_in, holds)
  select distinct of_player, 'likeness', moment, other.player_id, of_kind, true
  from protection.mark join protection.player other on other.player_id = mark.player_id
  where mark.kind = of_kind and mark.hash = any (hashes) and other.player_id <> of_player
    and (other.excluded_until > moment or other.under_review)
    and not protection.is_decided(of_player, other.player_id, of_kind)
  on conflict (player_id, like_player, like_in) where kind = 'likeness' and decided_at is null
  do update set holds = true;
  if not found then return; end if;
  update protection.player set under_review = true where player_id = of_player;
  perform protection.log_change(of_player, moment, 'review_begun', '{}');
end
$$;

-- Stores the values that identify an account, as keyed hashes: the first in the present form with the present key,
-- the others in earlier forms or with earlier keys. A hash that is new to the account is compared with those of other
-- accounts, and a number that its player gives (of_kind document, wallet or card) is counted. Returns whether it is new;
-- may_at is null if it was stored, otherwise the time from which the account may give another number, and nothing was
-- done.
drop function if exists protection.note_mark(integer, text, bytea[], text);
create or replace function protection.note_mark(of_player integer, of_kind text, hashes bytea[], with_key text,
  out is_new boolean, out may_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  standing constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  is_number constant boolean := of_kind in ('document', 'wallet', 'card');
begin
  is_new := not exists (select from protection.mark
    where player_id = of_player and kind = of_kind and hash = any (hashes));
  if is_new and is_number then may_at := protection.next_number_at(of_player, moment); end if;
  if may_at is not null then return; end if;
  insert into protection.mark (player_id, kind, hash, key_id, noted_at, counts)
  values (standing.player_id, of_kind, hashes[1], with_key, moment, is_new and is_number)
  on conflict do nothing;
  if not is_new then return; end if;
  -- Others who had it before him are shown, as when he excluded himself.
  if standing.excluded_until > moment then perform protection.find_alike(of_player, moment); end if;
  perform protection.hold_alike(of_player, of_kind, hashes, moment);
end
$$;

-- Stores marks for values that players had before, and holds no account: common values of two players are then not
-- new. A known mark is not changed.
create or replace function protection.note_earlier_marks(players integer[], kinds text[], hashes bytea[],
  with_key text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into protection.mark (player_id, kind, hash, key_id, noted_at)
  select given.of_player, given.of_kind, given.of_hash, with_key, app.now()
  from unnest(players, kinds, hashes) as given (of_player, of_kind, of_hash)
  on conflict do nothing;
end;

-- Records how all marks of these players are made: by which key, and in which form.
create or replace function protection.set_marked(players integer[], with_key text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update protection.player set marked_with = with_key where player_id = any (players);
end;

-- Gives an account the active breaks of another one, and returns whether there was one. An account that was closed
-- without a break has none: its player may come back.
create or replace function protection.share_exclusion(of_player integer, from_player integer, moment timestamptz)
returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  until timestamptz;
begin
  with shared as (
    insert into protection.exclusion (player_id, kind, began_at, ends_at, return_asked_at)
    select of_player, kind, began_at, ends_at, return_asked_at from protection.exclusion going_on
    where going_on.player_id = from_player and case kind when 'time_out' then ends_at > moment
      when 'self_exclusion' then coalesce(return_asked_at + protection.return_wait() > moment, true) end
    returning kind, ends_at, return_asked_at
  )
  select max(case kind when 'time_out' then ends_at
    else coalesce(return_asked_at + protection.return_wait(), 'infinity') end) into until from shared;
  update protection.player set excluded_until = greatest(excluded_until, until)
  where player_id = of_player and until is not null;
  return until is not null;
end
$$;

-- Decides on the likeness of an account to an excluded one: releases it, or confirms that both are one
-- person's, whose exclusion then holds for both. Answers 'released', 'confirmed', not_found, decided, or
-- not_excluded (no exclusion of the other account goes on, so there is nothing to confirm).
create or replace function protection.decide_likeness(of_likeness bigint, confirms boolean, why text,
  by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
  outcome constant text := case when confirms then 'confirmed' else 'released' end;
  moment timestamptz;
  asked protection.exclusion;
begin
  -- The player first, as everywhere: a mark that he gives meanwhile locks him and then this row.
  select * into asked from protection.exclusion where id = of_likeness and kind = 'likeness';
  if asked.id is null then return 'not_found'; end if;
  perform protection.lock_player(asked.player_id);
  select * into asked from protection.exclusion where id = of_likeness for update;
  if asked.decided_at is not null then return 'decided'; end if;
  moment := app.now();
  if confirms and not protection.share_exclusion(asked.player_id, asked.like_player, moment) then
    return 'not_excluded';
  end if;
  update protection.exclusion
  set decision = outcome, decide_reason = why, decided_by = by_staff, decided_at = moment
  where id = of_likeness;
  update protection.player set under_review = exists (select from protection.exclusion
    where exclusion.player_id = asked.player_id and kind = 'likeness' and holds and decided_at is null)
  where player_id = asked.player_id;
  perform protection.log_change(asked.player_id, moment, 'review_' || outcome, '{}');
  return outcome;
end
$$;

-- The present state of each of a player's limits: his own, the lowest that applies, and what he has used.
create or replace function protection.limits_now(of_player integer)
returns table (kind text, period text, own bigint, amount bigint, source text, used bigint,
  begins_anew_at timestamptz, raise_asked_at timestamptz, raise_amount bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select kinds.kind, periods.period, own.amount, lowest.amount, lowest.source,
    protection.spent(kinds.kind, place::integer, protection.sums_now(staked, starts, starts_now),
      protection.sums_now(returned, starts, starts_now), protection.sums_now(deposited, starts, starts_now)),
    protection.end_of(periods.period, (protection.later_starts(starts, starts_now))[place]),
    own.raise_asked_at, own.raise_amount
  from protection.player
    cross join lateral (select app.now() as moment) clock
    cross join lateral (select protection.starts_at(moment) as starts_now) began
    cross join unnest('{deposit,loss,stake}'::text[]) with ordinality kinds (kind, kind_place)
    cross join unnest('{day,week,month}'::text[]) with ordinality periods (period, place)
    left join protection.player_limit own
      on own.player_id = of_player and own.kind = kinds.kind and own.period = periods.period
    left join lateral (
      select bound.amount, bound.source from protection.limits_of(of_player) bound
      where bound.kind = kinds.kind and bound.period = periods.period
      order by bound.amount, bound.source = 'player' desc limit 1
    ) lowest on true
  where player.player_id = of_player
  order by kind_place, place;
end;

-- A player's present session of play, reality check and break.
create or replace function protection.standing_now(of_player integer)
returns table (check_minutes integer, began_at timestamptz, staked bigint, won bigint, check_at timestamptz,
  excluded_by text, excluded_until timestamptz, may_ask_from timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select (extract(epoch from coalesce(player.check_every, house.check_every_default)) / 60)::integer,
    case when goes_on then session_began_at end, session_staked, session_returned,
    protection.check_due_at(player, moment, house),
    case when player.excluded_until > moment then last.kind when player.under_review then 'likeness' end,
    case when player.excluded_until > moment and player.excluded_until < 'infinity'
      then player.excluded_until end,
    case when last.waits then last.ends_at end
  from protection.player
    cross join protection.house
    cross join lateral (select app.now() as moment) clock
    cross join lateral (select protection.in_session(player, moment, house) as goes_on) session
    left join lateral (
      -- A self-exclusion waits until the player asks to return, though a time-out may end later than its time.
      select exclusion.kind, exclusion.ends_at, player.excluded_until = 'infinity'
        and exclusion.kind = 'self_exclusion' and exclusion.return_asked_at is null as waits
      from protection.exclusion
      where exclusion.player_id = of_player and exclusion.kind <> 'likeness'
      order by waits desc, exclusion.ends_at desc limit 1
    ) last on true
  where player.player_id = of_player;
end;

-- What the application may do.
grant usage on schema protection to sum28_application;
grant select on protection.change, protection.exclusion, protection.held_deposit, protection.house,
  protection.house_limit, protection.mark, protection.player, protection.player_limit to sum28_application;
grant execute on function protection.acknowledge_check, protection.ask_return, protection.confirm_raise,
  protection.decide_likeness, protection.exclude, protection.limits_now, protection.note_earlier_marks,
  protection.note_mark, protection.release_deposits, protection.set_check, protection.set_limit,
  protection.set_marked, protection.standing_now,
  protection.take_possible_raises to sum28_application;
