-- Player protection: how stakes are judged and counted, and what all of it uses. Everything here is judged and counted
-- under the lock of the player's balance, which every movement of his money takes too.

create or replace function protection.open_with_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into protection.player (player_id) values (new.id);
  return null;
end
$$;

-- A robot is a program of the operator's and needs no protection.
create or replace trigger protection_opens after insert on accounts.player
  for each row when (accounts.is_person(new)) execute function protection.open_with_account();

-- Only what tells who the player was is taken out, once his account is anonymised.
create or replace trigger change_never_changes before update on protection.change
  for each row when ((old.player_id, old.id, old.at, old.what, old.details - '{name,born}'::text[])
    is distinct from (new.player_id, new.id, new.at, new.what, new.details))
  execute function app.refuse_change();

select app.refuse('delete', 'protection.change');

-- A moment in Unix seconds, as text, rounded up from its milliseconds: the same number as in other replies, which are
-- made of the moment as JavaScript reads it.
create or replace function protection.seconds_of(moment timestamptz) returns text
language sql immutable
return ceil(trunc(extract(epoch from moment), 3))::bigint::text;

-- The moment at which a calendar day begins in the operator's time zone.
create or replace function protection.begin_of(day date) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
return (select day::timestamp at time zone time_zone from protection.house);

-- The calendar day of a moment in the operator's time zone.
create or replace function protection.day_of(moment timestamptz) returns date
language sql stable set search_path = pg_catalog, pg_temp
return (select (moment at time zone time_zone)::date from protection.house);

-- The first days of the periods that contain a moment, in the operator's time zone: day, week from Monday, month.
create or replace function protection.starts_at(moment timestamptz) returns date[]
language sql stable
begin atomic
  select array[local_time::date, date_trunc('week', local_time)::date, date_trunc('month', local_time)::date]
  from protection.house cross join lateral (select moment at time zone time_zone as local_time) clock;
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

-- When a period that began on a day ends, and the next one starts.
create or replace function protection.end_of(period text, began date) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
return (select (began + ('1 ' || period)::interval) at time zone time_zone from protection.house);

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
create or replace function protection.spent(of_kind text, period_index integer, staked bigint[], paid_out bigint[],
  deposited bigint[]) returns bigint
language sql immutable
return case of_kind when 'deposit' then deposited[period_index] when 'stake' then staked[period_index]
  else staked[period_index] - paid_out[period_index] end;

-- A player's limits of some kinds that a further amount would exceed, with the used part of each in its period.
-- starts_now: from starts_at. PostgreSQL inlines it, like limits_of.
create or replace function protection.limits_passed(of_player integer, kinds text[], more bigint,
  starts_now date[])
returns table (kind text, period text, amount bigint, spent bigint, began date, period_index integer)
language sql stable
begin atomic
  select bound.kind, bound.period, bound.amount, used.spent, greatest(starts[period_index], starts_now[period_index]), period_index
  from protection.player
    cross join lateral protection.limits_of(player_id) bound
    -- "offset 0": each is computed once, and not anew for each use.
    cross join lateral (select array_position(array['day', 'week', 'month'], bound.period) as period_index offset 0) position
    cross join lateral (select case when starts_now[period_index] > starts[period_index] then 0
      else protection.spent(bound.kind, period_index, staked, paid_out, deposited) end as spent offset 0) used
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
  order by amount - spent, period_index desc
  limit 1;
end;

-- Locks a player's balance and returns his row: every change of it and every judgement by it does this first.
create or replace function protection.lock_player(of_player integer) returns protection.player
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row protection.player;
begin
  perform from ledger.balance where holder_id = of_player for no key update;
  select * into protection_row from protection.player where player_id = of_player;
  return protection_row;
end
$$;

create or replace function protection.log_change(of_player integer, moment timestamptz, what text, details jsonb)
returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into protection.change (player_id, at, what, details) values (of_player, moment, what, details);
end;

-- Logs a change of the ways in which a player signs in or proves himself, or what staff did to them. Requests can write
-- no other entry of the log.
create or replace function protection.log_sign_in_change(of_player integer, what text, name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if what not in ('passkey_added', 'passkey_removed', 'passkey_cloned', 'factor_on', 'factor_off', 'recovery_renewed',
    'recovery_used', 'email_changed', 'email_restored', 'account_locked', 'password_changed', 'security_code_changed',
    'code_reset', 'password_required', 'signed_out', 'push_on', 'push_off', 'push_chosen') then
    raise exception 'no change of a sign-in: %', what;
  end if;
  perform protection.log_change(of_player, app.now(), what, jsonb_build_object('name', name));
end
$$;

-- Whether a player's session of play is active: he has placed a bet, or acknowledged a check, recently.
create or replace function protection.in_session(protection_row protection.player, moment timestamptz,
  house protection.house) returns boolean
language sql stable
return coalesce(moment < protection_row.session_active_at + house.session_break, false);

-- When the next reality check of the running session is due; null if there is no session.
create or replace function protection.check_due_at(protection_row protection.player, moment timestamptz,
  house protection.house) returns timestamptz
language sql stable
return case when protection.in_session(protection_row, moment, house)
  then protection_row.checked_at + coalesce(protection_row.check_every, house.check_every_default) end;

-- The facts that a reality check shows the player: since when he plays, and what he staked and got back.
create or replace function protection.session_facts(protection_row protection.player, moment timestamptz) returns jsonb
language sql stable
return jsonb_build_object(
  'began_at', protection.seconds_of(protection_row.session_began_at),
  'elapsed_s', floor(extract(epoch from moment - protection_row.session_began_at))::bigint::text,
  'staked', protection_row.session_staked::text, 'won', protection_row.session_paid_out::text,
  'net', (protection_row.session_paid_out - protection_row.session_staked)::text);

-- Until when an exclusion lasts, if it ends by itself.
create or replace function protection.exclusion_facts(until timestamptz) returns jsonb
language sql immutable
return case when until < 'infinity'
  then jsonb_build_object('until', protection.seconds_of(until)) else '{}' end;

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
    else protection.limit_exceeded(order_slip.player_id, '{stake,loss}', order_slip.total, starts_now) end
  from unnest(players, totals) as order_slip (player_id, total)
    join protection.player on player.player_id = order_slip.player_id
    -- The limit tells PostgreSQL, which keeps no statistics of so small a table, that it has one row.
    cross join (select house from protection.house limit 1) one (house)
    cross join lateral (select case
      when player.excluded_until > moment then 'excluded'
      when player.under_review then 'under_review'
      when protection.check_due_at(player, moment, house) <= moment then 'reality_check_due'
      when exists (
        select from protection.limits_passed(order_slip.player_id, '{stake,loss}', order_slip.total, starts_now)
      ) then 'limit_reached'
    end as reason offset 0) verdict
  where verdict.reason is not null;
end
$$;

-- Counts accepted stakes, and continues the players' sessions of play, or begins them.
create or replace function protection.count_stakes(players integer[], totals bigint[], moment timestamptz)
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  starts_now constant date[] := protection.starts_at(moment);
begin
  update protection.player
  set starts = protection.later_starts(starts, starts_now),
    staked = protection.each_more(protection.sums_now(staked, starts, starts_now), accepted.total),
    paid_out = protection.sums_now(paid_out, starts, starts_now),
    deposited = protection.sums_now(deposited, starts, starts_now),
    session_began_at = case when protection.in_session(player, moment, house) then session_began_at else moment end,
    checked_at = case when protection.in_session(player, moment, house) then checked_at else moment end,
    session_staked = accepted.total
      + case when protection.in_session(player, moment, house) then session_staked else 0 end,
    session_paid_out = case when protection.in_session(player, moment, house) then session_paid_out else 0 end,
    session_active_at = greatest(moment,
      case when protection.in_session(player, moment, house) then session_active_at end)
  from unnest(players, totals) as accepted (of_player, total)
    cross join (select house from protection.house limit 1) one (house)
  where player_id = of_player;
end
$$;

-- Counts the payouts of settled bets, and subtracts the stakes of refunded ones. Each counts for the periods and the
-- session in which it was accepted, as long as they last. Lost bets change nothing. The caller holds the balances.
create or replace function protection.count_settled(players integer[], accepted timestamptz[],
  refunded bigint[], paid bigint[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  zone constant text := (select time_zone from protection.house);
  first_local constant timestamp := (select min(at) from unnest(accepted) at) at time zone zone;
begin
  update protection.player
  set staked = protection.sums_plus(staked, back.refunded, -1),
    paid_out = protection.sums_plus(paid_out, back.paid, 1),
    session_staked = session_staked - coalesce(back.session_refunded, 0),
    session_paid_out = session_paid_out + coalesce(back.session_paid, 0)
  from (
    select player_id,
      array[sum(stake_back) filter (where day), sum(stake_back) filter (where week),
        sum(stake_back) filter (where month)] as refunded,
      array[sum(payout) filter (where day), sum(payout) filter (where week),
        sum(payout) filter (where month)] as paid,
      sum(stake_back) filter (where session) as session_refunded,
      sum(payout) filter (where session) as session_paid
    from unnest(players, accepted, refunded, paid) as settled (of_player, at, stake_back, payout)
      join (
        select player_id, starts, session_began_at,
          first_local >= greatest(starts[1], starts[2], starts[3]) as all_count
        from protection.player where player_id = any (players)
        offset 0
      ) periods on player_id = of_player
      -- Periods begin with a day: a moment is in one, or after it, if its local time is not before that day. The local
      -- times of most bets need not be computed, since the first of all is in each of the player's periods.
      cross join lateral (select all_count or at at time zone zone >= starts[1] as day,
        all_count or at at time zone zone >= starts[2] as week,
        all_count or at at time zone zone >= starts[3] as month, at >= session_began_at as session) counts
    where stake_back + payout > 0
    group by player_id
  ) back
  where player.player_id = back.player_id;
end
$$;

grant select on protection.house, protection.house_limit to sum28_application;
grant select on protection.change, protection.exclusion, protection.held_deposit, protection.mark, protection.player,
  protection.player_limit to sum28_api, sum28_jobs;
grant execute on function protection.log_sign_in_change to sum28_api;
grant execute on function protection.lock_player to sum28_jobs;
