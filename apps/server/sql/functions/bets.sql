-- Bets: placed in batches.
--
-- The order of locks, here and in every other file. A transaction that takes several of these takes them from top to
-- bottom, and several of one kind in ascending order, so that there is no deadlock:
--
--    1. the person who acts               staff.member, shared, by staff.acting
--    2. idempotency keys, by player       app.request_key, by inserting the row; that of a bet is the bet's own
--    3. one call of an account at once    pg_advisory_xact_lock of 'email', 'pay methods', 'pictures', 'family'
--    4. the stop of betting               pg_advisory_xact_lock(hashtext('games.stop')), and its row after it
--    5. chains of seeds                   fairness.chain
--    6. rooms, by id                      games.room
--    7. rounds, by game and issue         rounds.round
--    8. bets, by player and id            bets.bet
--    9. what is decided                   console_money.bank_batch and then bank_payment; deposits.watcher_height,
--                                         transfer; withdrawals.withdrawal;
--                                         protection.held_deposit
--   10. references of payments            pg_advisory_xact_lock of 'payment'
--   11. balances, by holder               ledger.balance
--                                         and protection.* of the holder with it, and then the marks of all:
--                                         pg_advisory_xact_lock of 'protection.mark', shared by who gives one
--   12. players, by id                    accounts.player, and then in this order sessions, remembered devices,
--                                         known devices, second factors, security codes, mailed codes
--                                         but staff.proposal and then taken_payment, after all that they are about,
--                                         before sessions
--   13. counts of tries and changes       accounts.counter; that of a network's numbers already before players,
--                                         of whom such a transaction locks only the caller; that of a player's
--                                         breaks already before balances: nothing else counts there
--   14. players' days                     bets.player_day, by player; bets.settling and bets.winner change only under
--                                         the lock of their round
--   15. the end of the audit log          staff.audit_head
--
-- A new row that no other transaction can see yet is in no order. own_account.forget_player deletes keys and marks
-- under the lock of their player: his account has long been closed, and nobody else takes locks for it. Locks that are
-- not listed are each taken by one kind of transaction, which waits for no lock that another of its kind holds.

create or replace function bets.guard_bet() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.status <> 'accepted' then
    raise exception 'bet % is settled, and a bet is settled once', old.order_no
      using errcode = 'restrict_violation';
  end if;
  raise exception 'what was accepted in bet % never changes', old.order_no
    using errcode = 'restrict_violation';
end
$$;

-- Each fires only for a statement that names one of its columns, so that a settlement compares nothing but the state.
-- They fire after the change, which they undo: before it, PostgreSQL would lock each row, and write that to its log.
create or replace trigger bet_settled_once after update of status, payout, settled_at on bets.bet
  for each row when (old.status <> 'accepted')
  execute function bets.guard_bet();

create or replace trigger bet_guarded after update of player_id, id, booked_on, order_no, game_id, issue, room_id,
  rule_ids, odds_milli, rules_version, stake, total, cash_after, posting_id, accepted_at, follow_id, nonce, could_pay,
  client_key on bets.bet
  for each row execute function bets.guard_bet();

select app.refuse('delete', 'bets.bet');

-- Each bet must have its player, its room and its round, which is open: a later bet would stand in no book. None of these
-- is ever deleted, and so one look for all bets of a statement does what a foreign key would do for each.
create or replace function bets.check_references() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wrong text;
begin
  select added.order_no into wrong
  from added
    left join accounts.player on player.id = added.player_id
    left join games.room on room.id = added.room_id
    left join rounds.round on round.game_id = added.game_id and round.issue = added.issue
  where player.id is null or room.id is null
    or round.state is distinct from 'open'
  limit 1;
  if wrong is not null then
    raise exception 'bet % has no player, room or open round', wrong using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;

create or replace trigger bet_has_references after insert on bets.bet
  referencing new table as added
  for each statement execute function bets.check_references();

-- Places a batch of orders in one transaction: at most one order of a player, in the given order. An order that is
-- refused does not affect the others. A stop of betting waits for running batches, and batches wait for it. A frozen
-- player places no bet. An order is 'busy' while another transaction holds its player's balance.
--
-- batch: [{ord, player_id, key|null, game_id, issue, room_id, rule_ids, stake, follow_id|null, nonce,
--          rules_version|null}], stake in micro-units, nonce in hex
-- Returns for each order: ord; reason, null when accepted, with the amounts that explain it; and for an accepted bet
-- the data that the caller does not know. Reason 'replay': the same order made this bet before, under the same key.
-- A refusal is not kept with the key: a refused order that is sent again is judged again.
-- Every growing table is read by an index, even while its statistics say that it is small: the connection would keep
-- a plan made then, and read the whole table with each batch. Each connection plans once: for a small batch,
-- planning again would take longer than the work.
create or replace function bets.place(batch jsonb)
returns table (ord integer, reason text, facts jsonb, bet_id bigint, order_no text, total bigint,
  cash_after bigint, posting_id bigint, accepted_at timestamptz, username text, robot boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  set plan_cache_mode = force_generic_plan as $$
declare
  slips bets.order_slip[];
  locked bets.locked_round[];
  moment timestamptz;
begin
  slips := bets.read_orders(batch);
  select * into locked, moment from bets.lock_rounds(slips);
  slips := bets.lock_balances(slips, locked);
  slips := bets.judge_by_key(slips, moment);
  slips := bets.judge_by_rules(slips, locked, moment);
  slips := bets.judge_by_protection(slips, moment);
  slips := bets.judge_by_balance(slips);
  return query select * from bets.write_accepted(slips, moment);
end
$$;

-- First step: makes a slip of each order. Its rules_version is that of the odds that the player was shown, null if the
-- request does not say. Fails if a player has two orders.
create or replace function bets.read_orders(batch jsonb) returns bets.order_slip[]
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  slips bets.order_slip[];
  players bigint;
begin
  -- No client's key contains a blank.
  select array_agg(row(ord, player_id, coalesce(key, 'order ' || nonce), game_id, issue, room_id, rule_ids, stake,
      stake * cardinality(rule_ids), follow_id, nonce, null, null, null, null, rules_version, null,
      null)::bets.order_slip order by ord),
    count(distinct player_id)
  into slips, players
  from jsonb_to_recordset(batch) as orders (ord integer, player_id integer, key text, game_id integer, issue bigint,
    room_id integer, rule_ids integer[], stake bigint, follow_id bigint, nonce text, rules_version integer);
  if players < cardinality(slips) then
    raise exception 'a batch has at most one order of a player' using errcode = 'unique_violation';
  end if;
  return slips;
end
$$;

-- Second step: locks the rounds; the seal takes the same lock. Returns those that it locked, and the time by which the
-- whole batch is judged, read after the locks are held. A round that is not open any more needs no lock, so a late order
-- does not wait for its settlement. One that opens after this is not locked, and takes no bet of this batch.
create or replace function bets.lock_rounds(slips bets.order_slip[], out locked bets.locked_round[],
  out moment timestamptz)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- A stop of betting waits for this lock and makes it wait: what is stopped is read after it.
  perform pg_advisory_xact_lock_shared(hashtext('games.stop'));
  locked := array(
    select row(game_id, issue)::bets.locked_round from rounds.round
    where (game_id, issue) in (select slip.game_id, slip.issue from unnest(slips) slip where slip.reason is null)
      and state = 'open'
    order by game_id, issue
    for no key update);
  moment := app.now();
end
$$;

-- Third step: locks the balances. Every change of a balance, or of what a player may stake, takes that lock too, and
-- so does a freeze. An order for a round that is not locked needs none: its key cannot be in use at this moment.
-- Nobody waits here: a balance that another transaction holds would keep all other orders of the batch waiting, and the
-- seal, for as long. The order of its player is busy, and is sent again in a later batch.
create or replace function bets.lock_balances(slips bets.order_slip[], locked bets.locked_round[])
returns bets.order_slip[]
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  got integer[];
  busy bigint;
begin
  got := array(
    select holder_id from ledger.balance
    where holder_id in (
      select slip.player_id from unnest(slips) slip
      where (slip.game_id, slip.issue) in (select round.game_id, round.issue from unnest(locked) round))
    for no key update skip locked);
  if cardinality(got) = cardinality(slips) then return slips; end if;
  for busy in
    select slip.ordinality from unnest(slips) with ordinality slip
    where (slip.game_id, slip.issue) in (select round.game_id, round.issue from unnest(locked) round)
      and slip.player_id not in (select unnest(got))
  loop
    slips[busy].reason := 'busy';
  end loop;
  return slips;
end
$$;

-- Fourth step: finds the bets that were made under the keys of these orders before. The same order gets its bet again;
-- any other order is in conflict with it. Keys are sought in the years in which a bet of the last days can be, and from
-- the year of the order's round on, with which its issue begins.
create or replace function bets.judge_by_key(slips bets.order_slip[], moment timestamptz) returns bets.order_slip[]
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  recent_year constant integer := extract(year from moment - interval '9 days');
  end_day constant date := date_trunc('year', moment + interval '9 days') + interval '1 year';
  used record;
begin
  for used in
    select slip.ordinality as position, made.id, made.order_no, made.cash_after, made.posting_id, made.accepted_at,
      verdict.reason
    from unnest(slips) with ordinality slip
      cross join lateral (
        -- Sought as a range in the order of the index of keys: no other index gives that order, and so none is read.
        select * from bets.bet
        where bet.player_id = slip.player_id and bet.client_key between slip.client_key and slip.client_key
          and bet.booked_on >= make_date(least(recent_year, greatest(left(slip.issue::text, 4)::integer, 2000)), 1, 1)
          and bet.booked_on < end_day
        order by bet.client_key limit 1
      ) made
      cross join lateral (select case
        when (slip.game_id = made.game_id and slip.issue = made.issue and slip.room_id = made.room_id
          and slip.rule_ids = made.rule_ids::integer[] and slip.stake = made.stake
          and slip.follow_id is not distinct from made.follow_id
          and coalesce(slip.rules_version, made.rules_version) = made.rules_version) is not true
          then 'idempotency_conflict'
        else 'replay'
      end as reason) verdict
  loop
    slips[used.position].reason := used.reason;
    if used.reason = 'replay' then
      slips[used.position].facts := jsonb_build_object('bet_id', used.id, 'order_no', used.order_no,
        'cash_after', used.cash_after, 'posting_id', used.posting_id, 'accepted_at', used.accepted_at);
    end if;
  end loop;
  return slips;
end
$$;

-- What the rooms of these orders offer at a time: limits, odds, and the running round of their game. The odds have the
-- places of their rules.
create or replace function bets.offers_of(slips bets.order_slip[], locked bets.locked_round[], moment timestamptz)
returns table (room_id integer, game_id smallint, stake_min bigint, stake_max bigint, entry_min bigint,
  rules_version integer, stopped boolean, rules integer[], odds integer[], issue bigint, game_day date, open boolean,
  is_locked boolean)
language sql stable
begin atomic
  select room.id, room.game_id, room.stake_min, room.stake_max, room.entry_min, room.rules_version,
    game.stopped or room.stopped, offered.rules, offered.odds, running.issue, running.game_day,
    running.state = 'open' and moment < running.seals_at,
    row(room.game_id, running.issue)::bets.locked_round = any (locked)
  from games.room
    join games.game on game.id = room.game_id
    cross join lateral (
      select array_agg(odds.rule_id::integer order by odds.rule_id) as rules,
        array_agg(odds.odds_milli order by odds.rule_id) as odds
      from games.odds where odds.room_id = room.id
    ) offered
    left join lateral (
      select round.issue, round.state, round.seals_at, round.game_day from rounds.round
      where round.game_id = room.game_id and round.draws_at > moment and round.opens_at <= moment
      order by round.draws_at desc limit 1
    ) running on true
  where room.id in (select slip.room_id from unnest(slips) slip);
end;

-- Fifth step: judges by the rules that hold for all players at that time: stops, round, odds, the room's limits.
create or replace function bets.judge_by_rules(slips bets.order_slip[], locked bets.locked_round[], moment timestamptz)
returns bets.order_slip[]
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  return (
    with offer as materialized (select * from bets.offers_of(slips, locked, moment))
    select array_agg(row(slip.ord, slip.player_id, slip.client_key, slip.game_id, slip.issue,
      slip.room_id, slip.rule_ids, slip.stake, slip.total, slip.follow_id, slip.nonce,
      verdict.reason,
      case verdict.reason
        when 'replay' then slip.facts
        when 'below_minimum' then jsonb_build_object('minimum', offer.stake_min::text)
        when 'above_maximum' then jsonb_build_object('maximum', offer.stake_max::text)
      end,
      offer.game_day, chosen.odds, offer.rules_version, offer.entry_min, null)::bets.order_slip
      order by slip.ord)
    from unnest(slips) slip
      -- The limit tells PostgreSQL, which keeps no statistics of so small a table, that it has one row.
      cross join (select stopped or games.clocks_apart(house) as stopped from games.house limit 1) house
      left join offer on offer.room_id = slip.room_id and offer.game_id = slip.game_id
      -- The offsets make PostgreSQL compute each once, not once for each use above. The odds are in the order of the
      -- chosen rules; those of a rule that is unknown are null.
      cross join lateral (
        select array(select offer.odds[array_position(offer.rules, rule)] from unnest(slip.rule_ids) rule) as odds
        offset 0
      ) chosen
      cross join lateral (select case
        when slip.reason is not null then slip.reason
        when offer.room_id is null then 'not_found'
        when house.stopped then 'games_stopped'
        when offer.stopped then 'room_stopped'
        when offer.issue is null and exists (select from rounds.round
          where round.game_id = slip.game_id and round.issue = slip.issue and draws_at <= moment) then 'round_sealed'
        when offer.issue is null then 'round_closed'
        when offer.issue <> slip.issue then 'round_wrong'
        when not offer.open then 'round_sealed'
        when not offer.is_locked then 'round_closed'
        when array_position(chosen.odds, null) is not null then 'rule_unknown'
        when slip.rules_version <> offer.rules_version then 'odds_changed'
        when slip.follow_id is not null and slip.room_id is distinct from (
          select followed.room_id from bets.bet followed
          where followed.game_id = slip.game_id and followed.issue = slip.issue
            and followed.booked_on = offer.game_day and followed.id = slip.follow_id) then 'follow_unknown'
        when slip.total < offer.stake_min then 'below_minimum'
        when slip.total > offer.stake_max then 'above_maximum'
      end as reason offset 0) verdict);
end
$$;

-- Sixth step: judges by the player's limits, his reality check and exclusions.
create or replace function bets.judge_by_protection(slips bets.order_slip[], moment timestamptz)
returns bets.order_slip[]
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  verdict record;
begin
  for verdict in
    select slip.position, guard.player_id, guard.reason, guard.facts
    from protection.judge_stakes(
      array(select slip.player_id from unnest(slips) slip where slip.reason is null order by slip.ord),
      array(select slip.total from unnest(slips) slip where slip.reason is null order by slip.ord),
      moment) guard
      join (select player_id, ordinality as position from unnest(slips) with ordinality) slip using (player_id)
  loop
    slips[verdict.position].reason := verdict.reason;
    -- The stakes of a check count as lost while their bets are running; the player is told how much of the session's
    -- is, whose beginning is told in whole seconds, rounded up.
    slips[verdict.position].facts := verdict.facts || case verdict.reason when 'reality_check_due'
      then jsonb_build_object('running', bets.unsettled_stakes(verdict.player_id,
        to_timestamp((verdict.facts ->> 'began_at')::float8 - 1))::text) else '{}' end;
  end loop;
  return slips;
end
$$;

-- Seventh step: judges by the player's balance and by what his bets of the round may pay.
create or replace function bets.judge_by_balance(slips bets.order_slip[]) returns bets.order_slip[]
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  -- The days of these rounds, by which the other years' tables are left out once for all orders.
  first_day constant date := (select min(booked_on) from unnest(slips));
  last_day constant date := (select max(booked_on) from unnest(slips));
begin
  return (
    select array_agg(row(slip.ord, slip.player_id, slip.client_key, slip.game_id, slip.issue,
      slip.room_id, slip.rule_ids, slip.stake, slip.total, slip.follow_id, slip.nonce,
      coalesce(slip.reason, verdict.reason),
      case verdict.reason
        when 'below_entry' then jsonb_build_object('minimum', slip.entry_min::text)
        when 'above_maximum' then jsonb_build_object(
          'payout_maximum', house.payout_max::text, 'payout_left', payout.short::text)
        else slip.facts
      end,
      slip.booked_on, slip.odds_milli, slip.rules_version, slip.entry_min,
      bound.could_pay)::bets.order_slip order by slip.ord)
    from unnest(slips) slip
      cross join (select payout_max from games.house limit 1) house
      left join accounts.player on player.id = slip.player_id and slip.reason is null
      left join ledger.balance on balance.holder_id = player.id
      left join lateral (
        select bet.id, bet.could_pay from bets.bet
        where bet.game_id = slip.game_id and bet.issue = slip.issue and bet.player_id = player.id
          and bet.booked_on between first_day and last_day and bet.status = 'accepted'
        order by bet.id desc limit 1
      ) earlier on true
      cross join lateral (
        -- Stakes are whole cents, so a thousandth of one is exact.
        select case when earlier.id is not null then earlier.could_pay else 0 end
          + slip.stake / 1000 * (select sum(odds) from unnest(slip.odds_milli) odds) as could_pay
        offset 0
      ) bound
      cross join lateral (
        select case when player.id is null or bound.could_pay <= house.payout_max then null
          else bets.payout_short(slip.player_id, slip.game_id, slip.issue, slip.booked_on,
            slip.rule_ids, slip.odds_milli, slip.stake, house.payout_max) end as short
        offset 0
      ) payout
      cross join lateral (select case
        when player.state <> 'active' then 'account_locked'
        when balance.cash < slip.entry_min
          and balance.cash + bets.unsettled_stakes(slip.player_id) < slip.entry_min then 'below_entry'
        when payout.short is not null then 'above_maximum'
        when balance.cash < slip.total then 'insufficient_balance'
      end as reason offset 0) verdict);
end
$$;

-- A player's stakes in rounds that are not settled, accepted since a moment: all of them count for the balance that a
-- room requires.
create or replace function bets.unsettled_stakes(of_player integer, since timestamptz default '-infinity')
returns bigint
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select coalesce(sum(bet.total), 0)::bigint from rounds.round unsettled
  join bets.bet on bet.game_id = unsettled.game_id and bet.issue = unsettled.issue
  where unsettled.settled_at is null and bet.player_id = of_player and bet.status = 'accepted'
    and bet.accepted_at >= since;
end;

-- Null if an order together with the player's earlier bets of the round stays within the greatest payout at each of
-- the 28 sums. Otherwise the least amount that is still free at a sum that the order hits, in micro-units.
create or replace function bets.payout_short(of_player integer, of_game integer, of_issue bigint, on_day date,
  order_rules integer[], order_odds integer[], order_stake bigint, payout_max bigint) returns bigint
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with owed as (
    select selection.rule_id, sum(stake / 1000 * selection.odds) as pays
    from bets.bet, unnest(rule_ids, odds_milli) selection (rule_id, odds)
    where game_id = of_game and issue = of_issue and player_id = of_player and booked_on = on_day
      and status = 'accepted'
    group by selection.rule_id
  ),
  added as (
    select selection.rule_id, order_stake / 1000 * selection.odds as pays
    from unnest(order_rules, order_odds) selection (rule_id, odds)
  ),
  by_sum as (
    select coalesce(sum(owed.pays), 0) as earlier, sum(added.pays) as more
    from generate_series(0, 27) total
      cross join unnest(games.winning_rules(total)) winning (rule_id)
      left join owed on owed.rule_id = winning.rule_id
      left join added on added.rule_id = winning.rule_id
    group by total
  )
  select greatest(0, min(payout_max - earlier) filter (where more > 0))::bigint
  from by_sum
  having bool_or(more > 0 and earlier + more > payout_max);
end;

-- The number of a bet that its player sees: the game day and the bet's id, of at least eight digits.
create or replace function bets.order_no(booked_on date, bet_id bigint) returns text
language sql stable
return to_char(booked_on, 'YYYYMMDD') || lpad(bet_id::text, greatest(8, length(bet_id::text)), '0');

-- Last step: takes the stakes, writes the bets, and returns the answer for each order. The ids are assigned here, while
-- the rounds are locked, in the order of the batch.
create or replace function bets.write_accepted(slips bets.order_slip[], moment timestamptz)
returns table (ord integer, reason text, facts jsonb, bet_id bigint, order_no text, total bigint,
  cash_after bigint, posting_id bigint, accepted_at timestamptz, username text, robot boolean)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform protection.count_stakes(
    array(select slip.player_id from unnest(slips) slip where slip.reason is null order by slip.ord),
    array(select slip.total from unnest(slips) slip where slip.reason is null order by slip.ord), moment);
  return query
  with numbered as materialized (
    select slip.*, bets.order_no(booked_on, bet_id) as order_no from (
      select slip.*, case when slip.reason is null then nextval('bets.bet_id') end as bet_id
      from (select * from unnest(slips) order by ord) slip offset 0
    ) slip
  ),
  taken as materialized (
    select * from wallet.move('stake', array(
      select row(player_id, booked_on, total, 'bet:' || numbered.bet_id)::wallet.movement
      from numbered where numbered.bet_id is not null order by numbered.bet_id))
  ),
  made as (
    insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
      rules_version, stake, total, cash_after, posting_id, accepted_at, follow_id, nonce, could_pay, client_key)
    select slip.player_id, slip.bet_id, booked_on, slip.order_no, game_id, issue, room_id, rule_ids,
      odds_milli, rules_version, stake, slip.total, taken.cash_after, taken.posting_id, moment, follow_id,
      decode(nonce, 'hex'), could_pay, client_key
    from numbered slip join taken on taken.player_id = slip.player_id
    where slip.bet_id is not null
    order by slip.bet_id
  )
  select slip.ord, slip.reason, case when slip.reason <> 'replay' then slip.facts end,
    coalesce(slip.bet_id, (before ->> 'bet_id')::bigint), coalesce(slip.order_no, before ->> 'order_no'), slip.total,
    coalesce(taken.cash_after, (before ->> 'cash_after')::bigint),
    coalesce(taken.posting_id, (before ->> 'posting_id')::bigint),
    coalesce((before ->> 'accepted_at')::timestamptz, moment), player.username, not accounts.is_person(player)
  from numbered slip
    cross join lateral (select case when slip.reason = 'replay' then slip.facts end as before) made
    join accounts.player on player.id = slip.player_id
    left join taken on taken.player_id = slip.player_id
  order by slip.ord;
end
$$;

-- The same for robots alone, as the jobs bet for them: whoever took those over places no bet of a person.
create or replace function bets.place_of_robots(batch jsonb)
returns table (ord integer, reason text, facts jsonb, bet_id bigint, order_no text, total bigint,
  cash_after bigint, posting_id bigint, accepted_at timestamptz, username text, robot boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  if exists (select from jsonb_to_recordset(batch) as slip (player_id integer)
    left join accounts.player on player.id = slip.player_id where accounts.is_person(player) is not false)
  then
    raise exception 'these bets are of robots alone' using errcode = 'insufficient_privilege';
  end if;
  return query select * from bets.place(batch);
end
$$;

grant select on bets.bet, bets.player_day, bets.winner to sum28_api, sum28_jobs;
-- Old rows are locked before they are deleted, and that needs the right to update a column.
grant delete, update (settled_at) on bets.winner to sum28_jobs;
grant select on sequence bets.bet_id to sum28_engine;
grant execute on function bets.place to sum28_api;
grant execute on function bets.place_of_robots to sum28_jobs;
