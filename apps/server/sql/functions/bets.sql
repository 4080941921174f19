-- Bets: placed in batches, settled and refunded as sets.

create or replace function bets.guard_bet() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.status <> 'accepted' then
    raise exception 'bet % is settled, and a bet is settled once', old.order_no
      using errcode = 'restrict_violation';
  end if;
  if (new.player_id, new.id, new.booked_on, new.order_no, new.game_id, new.issue, new.room_id, new.rule_ids,
      new.odds_milli, new.rules_version, new.stake, new.total, new.cash_after, new.accepted_at,
      new.follow_id, new.nonce)
    is distinct from
     (old.player_id, old.id, old.booked_on, old.order_no, old.game_id, old.issue, old.room_id, old.rule_ids,
      old.odds_milli, old.rules_version, old.stake, old.total, old.cash_after, old.accepted_at,
      old.follow_id, old.nonce)
  then
    raise exception 'what was accepted in bet % never changes', old.order_no
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create or replace trigger bet_guarded before update on bets.bet
  for each row execute function bets.guard_bet();

create or replace trigger bet_never_deleted before delete on bets.bet
  for each row execute function app.refuse_change();

create or replace trigger bet_never_truncated before truncate on bets.bet
  for each statement execute function app.refuse_change();

-- Places a batch of orders in one transaction: at most one order of a player, in the given order.
-- One order that cannot stand never spoils another. A stop waits for batches under way and they for it;
-- who is frozen places no bet.
--
-- batch: [{ord, player_id, key|null, input_hash|null, game_id, issue, room_id, rule_ids, stake,
--          follow_id|null, nonce}], stake in micro-units, hash and nonce in hex
-- Answers for each: ord, reason (null when accepted), and the bet's id and day; or reason 'replay'
-- when the key was used before, by whomever: the caller then reads what came of it.
create or replace function bets.place(batch jsonb)
returns table (ord integer, reason text, bet_id bigint, booked_on date)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz;
begin
  -- Ids are as wide as a request may write them: one that no rule or game has is refused, not a fault.
  create temporary table if not exists slip (
    ord integer primary key, player_id integer not null unique, key text, input_hash text,
    game_id integer, issue bigint, room_id integer, rule_ids integer[], stake bigint, total bigint,
    follow_id bigint, nonce text, reason text, bet_id bigint, booked_on date, odds_milli integer[],
    rules_version integer
  ) on commit delete rows;
  delete from pg_temp.slip;

  insert into pg_temp.slip (ord, player_id, key, input_hash, game_id, issue, room_id, rule_ids, stake,
    total, follow_id, nonce)
  select ord, player_id, key, input_hash, game_id, issue, room_id, rule_ids, stake,
    stake * cardinality(rule_ids), follow_id, nonce
  from jsonb_to_recordset(batch) as asked (ord integer, player_id integer, key text, input_hash text,
    game_id integer, issue bigint, room_id integer, rule_ids integer[], stake bigint,
    follow_id bigint, nonce text);

  -- A key that is taken waits for whoever holds it, and then is a replay.
  with claimed as (
    insert into wallet.idempotency_key (player_id, key, route, input_hash, created_at)
    select player_id, key, 'playOrder', decode(input_hash, 'hex'), app.now()
    from pg_temp.slip where key is not null
    order by player_id
    on conflict do nothing
    returning player_id
  )
  update pg_temp.slip set reason = 'replay'
  where key is not null and player_id not in (select player_id from claimed);

  -- What a stop waits for, and makes wait: it is read below as it stands then.
  perform pg_advisory_xact_lock_shared(hashtext('games.stop'));
  -- The lock that the seal also needs; the time is read once it is held.
  perform from rounds.round
  where (game_id, issue) in (select game_id, issue from pg_temp.slip where reason is null)
  order by game_id, issue
  for no key update;
  moment := app.now();

  update pg_temp.slip set
    reason = case
      when room.id is null then 'room_unknown'
      when house.stopped then 'games_stopped'
      when game.stopped or room.stopped then 'room_stopped'
      when running.issue is null then 'round_closed'
      when running.issue <> slip.issue then 'round_wrong'
      when running.state <> 'open' or moment >= running.seals_at then 'round_sealed'
      when offered.rules < cardinality(slip.rule_ids) then 'rule_unknown'
      when slip.total < room.stake_min then 'below_minimum'
      when slip.total > room.stake_max then 'above_maximum'
    end,
    booked_on = running.game_day,
    odds_milli = offered.odds_milli,
    rules_version = room.rules_version
  from pg_temp.slip asked
    cross join games.house
    left join games.room on room.id = asked.room_id and room.game_id = asked.game_id
    left join games.game on game.id = asked.game_id
    left join lateral (
      select issue, state, seals_at, game_day from rounds.round
      where round.game_id = asked.game_id and draws_at > moment and opens_at <= moment
      order by draws_at desc limit 1
    ) running on true
    left join lateral (
      select count(odds.rule_id) as rules, array_agg(odds.odds_milli order by position) as odds_milli
      from unnest(asked.rule_ids) with ordinality chosen (rule_id, position)
      join games.odds on odds.room_id = asked.room_id and odds.rule_id = chosen.rule_id
    ) offered on true
  where slip.ord = asked.ord and slip.reason is null;

  -- The balances, in the order in which everybody locks them.
  perform from ledger.balance
  where holder_id in (select player_id from pg_temp.slip where reason is null)
  order by holder_id
  for no key update;

  -- Who was frozen holds a balance that was locked for it.
  update pg_temp.slip set reason = 'account_locked'
  from accounts.player
  where reason is null and player.id = slip.player_id and player.state = 'frozen';

  update pg_temp.slip set reason = 'insufficient_balance'
  where reason is null and not exists (
    select from ledger.balance where holder_id = slip.player_id and cash >= slip.total);

  update pg_temp.slip set bet_id = nextval('bets.bet_id')
  from (select ord from pg_temp.slip where reason is null order by ord) accepted
  where slip.ord = accepted.ord;

  with taken as (
    select posting.* from ledger.post((
      select array_agg(
        wallet.stake_request(player_id, booked_on, total, 'bet:' || slip.bet_id) order by slip.bet_id)
      from pg_temp.slip where reason is null
    )) posting
  )
  insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
    rules_version, stake, total, cash_after, accepted_at, follow_id, nonce)
  select slip.player_id, slip.bet_id, slip.booked_on,
    to_char(slip.booked_on, 'YYYYMMDD') || lpad(slip.bet_id::text, greatest(8, length(slip.bet_id::text)), '0'),
    game_id, issue, room_id, rule_ids, odds_milli, rules_version, stake, total, taken.cash_after, moment,
    follow_id, decode(nonce, 'hex')
  from pg_temp.slip
  join taken on taken.holder_id = slip.player_id
  where reason is null
  order by slip.bet_id;

  update wallet.idempotency_key
  set result = jsonb_strip_nulls(jsonb_build_object(
    'reason', slip.reason, 'bet_id', slip.bet_id, 'booked_on', slip.booked_on))
  from pg_temp.slip
  where idempotency_key.player_id = slip.player_id and idempotency_key.key = slip.key
    and slip.reason is distinct from 'replay';

  return query
    select slip.ord, slip.reason, slip.bet_id, slip.booked_on from pg_temp.slip order by slip.ord;
end
$$;

-- Adds what was settled to the players' days and totals, people's alone: no figure about players counts
-- a robot. Rows: player, staked, paid.
create or replace function bets.count_settled(
  players integer[], staked bigint[], paid bigint[], on_day date
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  insert into bets.player_day (player_id, day, staked, paid)
  select player_id, on_day, sum(stake), sum(payout)
  from unnest(players, staked, paid) as settled (player_id, stake, payout)
  join accounts.player on player.id = player_id and kind = 'person'
  group by player_id order by player_id
  on conflict (player_id, day) do update
  set staked = player_day.staked + excluded.staked, paid = player_day.paid + excluded.paid;

  insert into bets.player_total (player_id, staked, paid)
  select player_id, sum(stake), sum(payout)
  from unnest(players, staked, paid) as settled (player_id, stake, payout)
  join accounts.player on player.id = player_id and kind = 'person'
  group by player_id order by player_id
  on conflict (player_id) do update
  set staked = player_total.staked + excluded.staked, paid = player_total.paid + excluded.paid;
end
$$;

-- Settles up to so many bets of a drawn round and pays what they won; answers how many. When none
-- are left the round is settled. Bets that are settled already are not touched.
create or replace function bets.settle(game_id smallint, issue bigint, bets_max integer, on_day date) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  of_game alias for $1;
  of_issue alias for $2;
  day date;
  winning smallint[];
  done integer;
  requests ledger.posting_request[];
  players integer[];
  staked bigint[];
  paid bigint[];
begin
  select round.game_day, games.winning_rules(draw.total) into day, winning
  from rounds.round join rounds.draw using (game_id, issue)
  where game_id = of_game and issue = of_issue and state = 'drawn';
  if day is null then return 0; end if;

  with chosen as (
    select player_id, id, booked_on, stake, rule_ids, odds_milli
    from bets.bet
    where game_id = of_game and issue = of_issue and booked_on = day and status = 'accepted'
    order by player_id, id
    limit bets_max
    for no key update
  ),
  resolved as (
    select chosen.*, stake * hit.odds / 1000 as payout
    from chosen, lateral (
      select coalesce(sum(odds), 0)::bigint as odds
      from unnest(rule_ids, odds_milli) selection (rule_id, odds)
      where rule_id = any (winning)
    ) hit
  ),
  settled as (
    update bets.bet
    set status = case when resolved.payout > 0 then 'won' else 'lost' end,
      payout = resolved.payout, settled_at = app.now()
    from resolved
    where bet.player_id = resolved.player_id and bet.id = resolved.id and bet.booked_on = day
    returning bet.player_id, bet.id, bet.total, bet.payout
  )
  select count(*),
    array_agg(wallet.payout_request(player_id, day, payout, 'bet:' || id) order by player_id, id)
      filter (where payout > 0),
    array_agg(player_id order by player_id, id),
    array_agg(total order by player_id, id),
    array_agg(payout order by player_id, id)
  into done, requests, players, staked, paid
  from settled;

  if requests is not null then perform ledger.post(requests); end if;
  if done > 0 then perform bets.count_settled(players, staked, paid, on_day); end if;
  if done < bets_max then
    update rounds.round set state = 'settled', settled_at = app.now()
    where game_id = of_game and issue = of_issue and state = 'drawn';
  end if;
  return done;
end
$$;

-- Returns the stakes of up to so many bets of a voided round, in full; answers how many.
create or replace function bets.refund(game_id smallint, issue bigint, bets_max integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  of_game alias for $1;
  of_issue alias for $2;
  day date;
  done integer;
  requests ledger.posting_request[];
begin
  select game_day into day from rounds.round
  where game_id = of_game and issue = of_issue and state = 'voided' and settled_at is null;
  if day is null then return 0; end if;

  with chosen as (
    select player_id, id from bets.bet
    where game_id = of_game and issue = of_issue and booked_on = day and status = 'accepted'
    order by player_id, id
    limit bets_max
    for no key update
  ),
  refunded as (
    update bets.bet set status = 'refunded', settled_at = app.now()
    from chosen
    where bet.player_id = chosen.player_id and bet.id = chosen.id and bet.booked_on = day
    returning bet.player_id, bet.id, bet.total
  )
  select count(*),
    array_agg(wallet.refund_request(player_id, day, total, 'bet:' || id) order by player_id, id)
  into done, requests
  from refunded;

  if requests is not null then perform ledger.post(requests); end if;
  if done < bets_max then
    update rounds.round set settled_at = app.now()
    where game_id = of_game and issue = of_issue and state = 'voided' and settled_at is null;
  end if;
  return done;
end
$$;

-- What the application may do.
revoke all on all tables in schema bets from sum28_application;
revoke execute on all functions in schema bets from public, sum28_application;
grant usage on schema bets to sum28_application;
grant select on bets.bet, bets.player_day, bets.player_total to sum28_application;
grant execute on function bets.place, bets.refund, bets.settle to sum28_application;
