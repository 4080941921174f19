-- Limits that a player sets himself: lower at once, higher when he confirms it a day later.

-- How long a player waits for a higher limit, and how long he may then confirm it.
create or replace function protection.raise_wait() returns interval
language sql immutable return interval '24 hours';

create or replace function protection.raise_open_for() returns interval
language sql immutable return interval '7 days';

-- Sets a player's own limit; without an amount he has none. A lower one applies at once, a higher one has to be
-- confirmed a day later. Answers 'lowered', 'raise_asked' or 'same'; each replaces a higher limit that was requested
-- before. `logged`: false for more changes than the log, which is kept forever, has of one day; the next entry's `before`
-- shows the last of them.
create or replace function protection.set_limit(of_player integer, of_kind text, of_period text, wanted bigint,
  logged boolean default true) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  before protection.player_limit;
  outcome text;
begin
  if protection_row.player_id is null then
    raise exception 'player % has no protection', of_player using errcode = 'foreign_key_violation';
  end if;
  select * into before from protection.player_limit
  where player_id = of_player and kind = of_kind and period = of_period;
  outcome := case when wanted is not distinct from before.amount then 'same'
    when before.amount is null or wanted < before.amount then 'lowered' else 'raise_asked' end;
  if outcome = 'same' and before.raise_asked_at is null then return outcome; end if;
  insert into protection.player_limit as own_limit (player_id, kind, period, amount, set_at)
  values (of_player, of_kind, of_period, wanted, moment)
  on conflict (player_id, kind, period) do update
  set amount = case when outcome = 'lowered' then wanted else own_limit.amount end,
    set_at = case when outcome = 'lowered' then moment else own_limit.set_at end,
    raise_asked_at = case when outcome = 'raise_asked' then moment end,
    raise_amount = case when outcome = 'raise_asked' then wanted end;
  if not logged then return outcome; end if;
  perform protection.log_change(of_player, moment, 'limit_' || outcome, jsonb_build_object(
    'kind', of_kind, 'period', of_period, 'before', before.amount::text, 'after', wanted::text));
  return outcome;
end
$$;

-- Confirms the higher limit that a player requested a day ago. Answers 'raised', not_asked, too_early, or excluded
-- during a break.
create or replace function protection.confirm_raise(of_player integer, of_kind text, of_period text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  own_limit protection.player_limit;
begin
  select * into own_limit from protection.player_limit
  where player_id = protection_row.player_id and kind = of_kind and period = of_period;
  if own_limit.raise_asked_at is null
    or moment >= own_limit.raise_asked_at + protection.raise_wait() + protection.raise_open_for()
  then
    return 'not_asked';
  end if;
  if moment < own_limit.raise_asked_at + protection.raise_wait() then return 'too_early'; end if;
  if protection_row.excluded_until > moment then return 'excluded'; end if;
  update protection.player_limit
  set amount = raise_amount, set_at = moment, raise_asked_at = null, raise_amount = null
  where player_id = of_player and kind = of_kind and period = of_period;
  perform protection.log_change(of_player, moment, 'limit_raised', jsonb_build_object(
    'kind', of_kind, 'period', of_period, 'before', own_limit.amount::text, 'after', own_limit.raise_amount::text));
  return 'raised';
end
$$;

-- Marks and returns the higher limits that players can confirm now and were not notified of, and until when. There are
-- no notices for a closed or frozen account, or during a break.
create or replace function protection.take_possible_raises(rows_max integer)
returns table (player_id integer, kind text, period text, until timestamptz)
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  -- Materialised: joined, the limit could be counted anew for each row.
  with due as materialized (
    select waiting.player_id, waiting.kind, waiting.period
    from protection.player_limit waiting, lateral (select app.now() as moment offset 0) clock
    where waiting.raise_asked_at is not null
      and waiting.raise_asked_at <= moment - protection.raise_wait()
      and waiting.raise_asked_at > moment - protection.raise_wait() - protection.raise_open_for()
      and waiting.raise_told_for is distinct from waiting.raise_asked_at
      and exists (select from accounts.player where player.id = waiting.player_id and state = 'active')
      and not exists (select from protection.player
        where player.player_id = waiting.player_id and excluded_until > moment)
    order by waiting.raise_asked_at limit rows_max
    for update skip locked
  )
  update protection.player_limit notified set raise_told_for = notified.raise_asked_at
  from due
  where notified.player_id = due.player_id and notified.kind = due.kind and notified.period = due.period
  returning notified.player_id, notified.kind, notified.period,
    notified.raise_asked_at + protection.raise_wait() + protection.raise_open_for();
end;

-- The present state of each of a player's limits: his own, the lowest that applies, and what he has used.
create or replace function protection.limits_now(of_player integer)
returns table (kind text, period text, own_amount bigint, amount bigint, source text, used bigint,
  begins_anew_at timestamptz, raise_asked_at timestamptz, raise_amount bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select kinds.kind, periods.period, own_limit.amount, lowest.amount, lowest.source,
    protection.spent(kinds.kind, period_index::integer, protection.sums_now(staked, starts, starts_now),
      protection.sums_now(paid_out, starts, starts_now), protection.sums_now(deposited, starts, starts_now)),
    protection.end_of(periods.period, (protection.later_starts(starts, starts_now))[period_index]),
    own_limit.raise_asked_at, own_limit.raise_amount
  from protection.player
    cross join lateral (select app.now() as moment) clock
    cross join lateral (select protection.starts_at(moment) as starts_now) began
    cross join unnest('{deposit,loss,stake}'::text[]) with ordinality kinds (kind, kind_index)
    cross join unnest('{day,week,month}'::text[]) with ordinality periods (period, period_index)
    left join protection.player_limit own_limit
      on own_limit.player_id = of_player and own_limit.kind = kinds.kind and own_limit.period = periods.period
    left join lateral (
      select bound.amount, bound.source from protection.limits_of(of_player) bound
      where bound.kind = kinds.kind and bound.period = periods.period
      order by bound.amount, bound.source = 'player' desc limit 1
    ) lowest on true
  where player.player_id = of_player
  order by kind_index, period_index;
end;

grant execute on function protection.confirm_raise, protection.limits_now, protection.set_limit to sum28_api;
grant execute on function protection.take_possible_raises to sum28_jobs;
