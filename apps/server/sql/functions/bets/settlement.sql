-- The settlement of a round's bets, and their refund, as sets.

-- Adds settled bets to the players' days and totals. Only people are counted: figures about players do not include
-- robots. Rows: player, stake, payout.
create or replace function bets.count_settled(
  players integer[], staked bigint[], paid bigint[], on_day date
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  people integer[];
  stakes bigint[];
  payouts bigint[];
begin
  select array_agg(player_id order by player_id), array_agg(sums.staked order by player_id),
    array_agg(sums.paid order by player_id)
  into people, stakes, payouts
  from (
    select player_id, sum(stake)::bigint as staked, sum(payout)::bigint as paid
    from unnest(players, staked, paid) as settled (player_id, stake, payout)
    group by player_id
  ) sums
  join accounts.player on player.id = player_id and accounts.is_person(player);

  insert into bets.player_day (player_id, day, staked, paid)
  select player_id, on_day, stake, payout
  from unnest(people, stakes, payouts) as settled (player_id, stake, payout)
  on conflict (player_id, day) do update
  set staked = player_day.staked + excluded.staked, paid = player_day.paid + excluded.paid;

  insert into bets.player_total (player_id, staked, paid)
  select player_id, stake, payout
  from unnest(people, stakes, payouts) as settled (player_id, stake, payout)
  on conflict (player_id) do update
  set staked = player_total.staked + excluded.staked, paid = player_total.paid + excluded.paid;
end
$$;

-- Marks up to so many bets of a round as won or lost by the rules that its draw hit, and returns them in the order of
-- players and bets. The caller has locked the round, so that nobody else changes its bets. Each bet is found by its
-- key: another join would read the bets of a whole month for each call, as long as that costs less than the keys one
-- by one.
create or replace function bets.resolve(of_game integer, of_issue bigint, day date, winning smallint[],
  bets_max integer)
returns table (player_id integer, id bigint, total bigint, payout bigint, accepted_at timestamptz)
language plpgsql set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  moment constant timestamptz := app.now();
begin
  return query
  with chosen as (
    select player_id, id, stake, rule_ids, odds_milli
    from bets.bet
    where game_id = of_game and issue = of_issue and booked_on = day and status = 'accepted'
    order by player_id, id
    limit bets_max
  ),
  resolved as (
    select player_id, id, stake * hit.odds / 1000 as payout
    from chosen, lateral (
      select coalesce(sum(odds), 0)::bigint as odds
      from unnest(rule_ids, odds_milli) selection (rule_id, odds)
      where rule_id = any (winning)
    ) hit
  ),
  settled as (
    update bets.bet
    set status = case when resolved.payout > 0 then 'won' else 'lost' end,
      payout = resolved.payout, settled_at = moment
    from resolved
    where bet.player_id = resolved.player_id and bet.id = resolved.id and bet.booked_on = day
    returning bet.player_id, bet.id, bet.total, bet.payout, bet.accepted_at
  )
  select * from settled order by player_id, id;
end
$$;

-- Settles up to so many bets of a drawn round and pays their winnings; returns how many. When none are left the round
-- is settled. Bets that are settled already are not changed.
create or replace function bets.settle(game_id smallint, issue bigint, bets_max integer, on_day date) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
  set enable_seqscan = off as $$
#variable_conflict use_column
declare
  of_game alias for $1;
  of_issue alias for $2;
  day date;
  winning smallint[];
  done integer;
  winnings wallet.movement[];
  players integer[];
  staked bigint[];
  paid bigint[];
  accepted timestamptz[];
begin
  -- The round is locked before the balances. Of two calls for one round the second goes on after the first.
  select round.game_day, games.winning_rules(draw.total) into day, winning
  from rounds.round join rounds.draw using (game_id, issue)
  where game_id = of_game and issue = of_issue and state = 'drawn'
  for no key update of round;
  if day is null then return 0; end if;

  select count(*),
    array_agg(row(player_id, day, payout, 'bet:' || id)::wallet.movement) filter (where payout > 0),
    array_agg(player_id), array_agg(total), array_agg(payout), array_agg(accepted_at)
  into done, winnings, players, staked, paid, accepted
  from bets.resolve(of_game, of_issue, day, winning, bets_max);

  perform wallet.pay_winnings(winnings);
  if done > 0 then
    perform protection.count_settled(players, accepted, array_fill(0::bigint, array[done]), paid);
    perform bets.count_settled(players, staked, paid, on_day);
  end if;
  if done < bets_max then
    update rounds.round set state = 'settled', settled_at = app.now()
    where game_id = of_game and issue = of_issue and state = 'drawn';
  end if;
  return done;
end
$$;

-- Marks up to so many bets of a voided round as refunded, and returns them. It is called and planned like bets.resolve.
create or replace function bets.set_refunded(of_game integer, of_issue bigint, day date, bets_max integer)
returns table (player_id integer, id bigint, total bigint, accepted_at timestamptz)
language plpgsql set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  moment constant timestamptz := app.now();
begin
  return query
  with chosen as (
    select player_id, id from bets.bet
    where game_id = of_game and issue = of_issue and booked_on = day and status = 'accepted'
    order by player_id, id
    limit bets_max
  ),
  refunded as (
    update bets.bet set status = 'refunded', settled_at = moment
    from chosen
    where bet.player_id = chosen.player_id and bet.id = chosen.id and bet.booked_on = day
    returning bet.player_id, bet.id, bet.room_id, bet.total, bet.accepted_at
  ),
  lessened as (
    update bets.room_stake set staked = staked - refund_sum.total
    from (select player_id, room_id, sum(total) as total from refunded group by player_id, room_id) refund_sum
    where room_stake.issue = of_issue and room_stake.game_id = of_game
      and room_stake.player_id = refund_sum.player_id and room_stake.room_id = refund_sum.room_id
  )
  select player_id, id, total, accepted_at from refunded order by player_id, id;
end
$$;

-- Returns the stakes of up to so many bets of a voided round to their players, in full; returns how many.
create or replace function bets.refund(game_id smallint, issue bigint, bets_max integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
  set enable_seqscan = off as $$
#variable_conflict use_column
declare
  of_game alias for $1;
  of_issue alias for $2;
  day date;
  done integer;
  stakes wallet.movement[];
  players integer[];
  accepted timestamptz[];
  totals bigint[];
begin
  -- The round is locked before the balances.
  select game_day into day from rounds.round
  where game_id = of_game and issue = of_issue and state = 'voided' and settled_at is null
  for no key update;
  if day is null then return 0; end if;

  select count(*), array_agg(row(player_id, day, total, 'bet:' || id)::wallet.movement),
    array_agg(player_id), array_agg(accepted_at), array_agg(total)
  into done, stakes, players, accepted, totals
  from bets.set_refunded(of_game, of_issue, day, bets_max);

  perform wallet.refund_stakes(stakes);
  if done > 0 then
    perform protection.count_settled(players, accepted, totals, array_fill(0::bigint, array[done]));
  end if;
  if done < bets_max then
    update rounds.round set settled_at = app.now()
    where game_id = of_game and issue = of_issue and state = 'voided' and settled_at is null;
  end if;
  return done;
end
$$;

-- Deletes up to so many rows of players' stakes in rooms, of game days that ended at least two days ago; returns how
-- many.
create or replace function bets.forget_room_stakes(rows_max integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept_from constant bigint := to_char(app.now() - interval '2 days', 'YYYYMMDD')::bigint * 1000;
  done integer;
begin
  delete from bets.room_stake where ctid = any (array(
    select ctid from bets.room_stake where issue < kept_from order by issue limit rows_max
    for update skip locked));
  get diagnostics done = row_count;
  return done;
end
$$;

-- What each part of the product may do.
grant execute on function bets.refund, bets.settle to sum28_engine;
grant execute on function bets.forget_room_stakes to sum28_jobs;
