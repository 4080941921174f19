-- What stakes and settled bets count for: judged before a bet is accepted, and added to the sums of the periods.

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
    cross join protection.house
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
  set starts = protection.later_starts(player.starts, starts_now),
    staked = protection.each_more(protection.sums_now(player.staked, player.starts, starts_now), accepted.total),
    paid_out = protection.sums_now(player.paid_out, player.starts, starts_now),
    deposited = protection.sums_now(player.deposited, player.starts, starts_now),
    session_began_at = case when goes_on then player.session_began_at else moment end,
    checked_at = case when goes_on then player.checked_at else moment end,
    session_staked = accepted.total + case when goes_on then player.session_staked else 0 end,
    session_paid_out = case when goes_on then player.session_paid_out else 0 end,
    session_active_at = greatest(moment, case when goes_on then player.session_active_at end)
  from (
    select protection_row.player_id, each.total, protection.in_session(protection_row, moment, house) as goes_on
    from unnest(players, totals) as each (player_id, total)
      join protection.player protection_row on protection_row.player_id = each.player_id
      cross join protection.house
  ) accepted
  where player.player_id = accepted.player_id;
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
      join protection.player protection_row on protection_row.player_id = of_player
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
