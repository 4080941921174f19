-- The settlement of a round's bets, and their refund, as sets.

-- Adds settled bets to the players' days. Only people are counted: figures about players do not include robots.
-- Rows: player, stake, payout.
create or replace function bets.count_settled(
  players integer[], staked bigint[], paid bigint[], on_day date
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into bets.player_day (player_id, day, staked, paid)
  select player_id, on_day, sums.staked, sums.paid
  from (
    select player_id, sum(stake)::bigint as staked, sum(payout)::bigint as paid
    from unnest(players, staked, paid) as settled (player_id, stake, payout)
    group by player_id
  ) sums
  join accounts.player on player.id = player_id and accounts.is_person(player)
  order by player_id
  on conflict (player_id, day) do update
  set staked = player_day.staked + excluded.staked, paid = player_day.paid + excluded.paid;
end
$$;

-- Keeps the largest wins of people among settled bets: more than the day's list shows. A win is what all of a player's
-- bets in the round paid above their stakes. Rows, in the order of players: player, bet, stake, payout.
create or replace function bets.note_winners(
  of_game integer, of_issue bigint, on_day date, players integer[], bet_ids bigint[], staked bigint[], paid bigint[]
) returns void
language sql set search_path = pg_catalog, pg_temp set enable_seqscan = off
begin atomic
  insert into bets.winner (settled_at, player_id, bet_id, game_id, profit)
  select app.now(), won.player_id, bet_id, of_game, profit
  from (
    select player_id, bet_id,
      -- The first and the last player may have bets that were settled before or are not settled yet.
      case when player_id not in (players[1], players[cardinality(players)]) then of_part else (
        select case when bool_and(bet.status <> 'accepted') then sum(bet.payout - bet.total)::bigint end
        from bets.bet
        where bet.game_id = of_game and bet.issue = of_issue and bet.player_id = part.player_id
          and bet.booked_on = on_day) end as profit
    from (
      select player_id, max(bet_id) as bet_id, sum(payout - stake)::bigint as of_part
      from unnest(players, bet_ids, staked, paid) as settled (player_id, bet_id, stake, payout)
      group by player_id
    ) part
    order by profit desc, bet_id desc
    offset 0
  ) won
    -- The offsets make PostgreSQL look up the players of the largest wins alone, one after the other.
    cross join lateral (
      select from accounts.player where player.id = won.player_id and accounts.is_person(player) offset 0
    ) person
  where profit > 0
  order by profit desc, bet_id desc
  limit 50;
end;

-- Records how far a settlement or refund has come; when it has ended, nothing is left to record. The caller has locked
-- the round. Players and bets in their order.
create or replace function bets.note_settled(
  of_game integer, of_issue bigint, players integer[], bet_ids bigint[], ended boolean
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if ended then
    delete from bets.settling where game_id = of_game and issue = of_issue;
  else
    insert into bets.settling (game_id, issue, last_player, last_bet)
    values (of_game, of_issue, players[cardinality(players)], bet_ids[cardinality(bet_ids)])
    on conflict (game_id, issue) do update set last_player = excluded.last_player, last_bet = excluded.last_bet;
  end if;
end
$$;

-- The last of the next so many bets of a round that a settlement or refund takes, in the order of players and bets; one
-- after all others if fewer are left. The bets from "reached" to it are an unbroken part of bet_of_round, so that each is
-- found by its place there. No other index begins with the round, and none is read instead.
create or replace function bets.part_end(reached bets.settling, day date, bets_max integer) returns bets.settling
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  part_end bets.settling;
begin
  select game_id, issue, player_id, id into part_end from bets.bet
  where booked_on = day and status = 'accepted' and (game_id, issue, player_id, id)
    > (reached.game_id, reached.issue, reached.last_player, reached.last_bet)
    and (game_id, issue) <= (reached.game_id, reached.issue)
  order by game_id, issue, player_id, id
  offset bets_max - 1 limit 1;
  return case when part_end.issue is not null then part_end
    else row(reached.game_id, reached.issue, 2147483647, 9223372036854775807)::bets.settling end;
end
$$;

-- Marks up to so many bets of a round as won or lost by the rules that its draw hit, or without such rules as refunded,
-- and returns them in the order of players and bets, from the last one on that was settled before. The caller has
-- locked the round, so that nobody else changes its bets.
create or replace function bets.resolve(of_game integer, of_issue bigint, day date, winning smallint[],
  bets_max integer)
returns table (player_id integer, id bigint, total bigint, payout bigint, accepted_at timestamptz)
language plpgsql set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  moment constant timestamptz := app.now();
  reached constant bets.settling := coalesce((select settling from bets.settling
    where game_id = of_game and issue = of_issue), row(of_game, of_issue, 0, 0)::bets.settling);
  part_end constant bets.settling := bets.part_end(reached, day, bets_max);
begin
  return query
  with settled as (
    update bets.bet
    set settled_at = moment,
      status = case when winning is null then 'refunded' when rule_ids && winning then 'won' else 'lost' end,
      payout = case
        when winning is null or not rule_ids && winning then 0
        when cardinality(rule_ids) = 1 then stake * odds_milli[1] / 1000
        else stake * (select sum(odds) from unnest(rule_ids, odds_milli) selection (rule_id, odds)
          where rule_id = any (winning)) / 1000
      end
    where booked_on = day and status = 'accepted'
      and (game_id, issue, player_id, id) > (of_game, of_issue, reached.last_player, reached.last_bet)
      and (game_id, issue, player_id, id) <= (of_game, of_issue, part_end.last_player, part_end.last_bet)
    returning player_id, id, total, payout, accepted_at
  )
  select * from settled order by player_id, id;
end
$$;

-- Pays the players of settled or refunded bets. While another transaction holds the balance of one, all whose balances
-- are locked before wait with it: a second. The engine tries again.
create or replace function bets.pay(kind text, movements wallet.movement[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
begin
  perform wallet.move(kind, movements);
end
$$;

-- Tells the people among the players of refunded bets, in the order of players, what came back to each, in one message.
create or replace function bets.tell_refund(
  of_game integer, of_issue bigint, on_day date, players integer[], totals bigint[]
) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into inbox.message (player_id, kind, facts)
  select player_id, 'round_voided', jsonb_build_object(
    'game', (select name from games.game where game.id = of_game), 'issue', of_issue::text,
    'amount', app.amount_text(amount))
  from (
    select player.id as player_id,
      -- The first and the last player may have bets that were refunded before or are not refunded yet.
      case when player.id not in (players[1], players[cardinality(players)]) then sum(refunded.total) else (
        select case when bool_and(bet.status <> 'accepted') then sum(bet.total) end
        from bets.bet
        where bet.game_id = of_game and bet.issue = of_issue and bet.player_id = player.id
          and bet.booked_on = on_day) end as amount
    from unnest(players, totals) as refunded (player_id, total)
      join accounts.player on player.id = refunded.player_id
    where accounts.is_person(player)
    group by player.id
  ) told
  where amount is not null
  order by player_id;
end;

-- Settles up to so many bets of a drawn round and pays their winnings, or returns the stakes of a voided one's in full;
-- returns how many. When none are left the round is settled. Bets that are settled already are not changed.
create or replace function bets.settle(game_id smallint, issue bigint, bets_max integer, on_day date) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
  set enable_seqscan = off as $$
#variable_conflict use_column
declare
  of_game alias for $1;
  of_issue alias for $2;
  -- The round is locked before the balances. Of two calls for one round the second goes on after the first.
  of_round constant rounds.round := rounds.lock(of_game, of_issue);
  is_void constant boolean := of_round.state = 'voided';
  winning smallint[];
  done integer;
  movements wallet.movement[];
  players integer[];
  bet_ids bigint[];
  accepted timestamptz[];
  staked bigint[];
  paid bigint[];
begin
  if of_round.settled_at is not null or (of_round.state in ('drawn', 'voided')) is not true then return 0; end if;
  if not is_void then
    select games.winning_rules(total) into winning from rounds.draw where game_id = of_game and issue = of_issue;
    if winning is null then raise exception 'round % of game % has no winning rules', of_issue, of_game; end if;
  end if;

  select count(*), array_agg(player_id), array_agg(id), array_agg(accepted_at), array_agg(total), array_agg(payout),
    array_agg(row(player_id, of_round.game_day, case when is_void then total else payout end,
      'bet:' || id)::wallet.movement) filter (where is_void or payout > 0)
  into done, players, bet_ids, accepted, staked, paid, movements
  from bets.resolve(of_game, of_issue, of_round.game_day, winning, bets_max);

  perform bets.pay(case when is_void then 'refund' else 'payout' end, movements);
  if done > 0 then
    perform protection.count_settled(players, accepted,
      case when is_void then staked else array_fill(0::bigint, array[done]) end, paid);
    if is_void then
      perform bets.tell_refund(of_game, of_issue, of_round.game_day, players, staked);
    else
      perform bets.count_settled(players, staked, paid, on_day);
      perform bets.note_winners(of_game, of_issue, of_round.game_day, players, bet_ids, staked, paid);
    end if;
  end if;
  perform bets.note_settled(of_game, of_issue, players, bet_ids, done < bets_max);
  if done < bets_max then
    update rounds.round set state = case when is_void then state else 'settled' end, settled_at = app.now()
    where game_id = of_game and issue = of_issue;
  end if;
  return done;
end
$$;

grant execute on function bets.settle to sum28_engine;
