-- What the house publishes of its money. A node of a sum tree is its sum in 8 bytes and its hash, as in
-- packages/fairness/src/sum-tree.ts.

-- PostgreSQL makes a number of bytes from 18 on; a house may have 15.
create or replace function disclosure.sum_of(node bytea) returns bigint
language sql immutable
return ('x' || encode(substr(node, 1, 8), 'hex'))::bit(64)::bigint;

create or replace function disclosure.join_nodes(one bytea, other bytea) returns bytea
language sql immutable
return int8send(disclosure.sum_of(one) + disclosure.sum_of(other)) || sha256('\x01'::bytea || one || other);

-- The root of a tree of these nodes, which are a power of two. Fails if a sum is too large.
create or replace function disclosure.root_of(nodes bytea[]) returns bytea
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  level bytea[] := nodes;
begin
  while cardinality(level) > 1 loop
    level := array(select disclosure.join_nodes(level[2 * at - 1], level[2 * at])
      from generate_series(1, cardinality(level) / 2) at order by at);
  end loop;
  return level[1];
end
$$;

-- The text of a leaf: `1|count|player|cash|held|at risk|salt`. A place without a player has 0 in all.
create or replace function disclosure.leaf_text(number integer, place integer, leaf disclosure.owed_leaf, salt_key bytea)
returns text
language sql immutable
return concat_ws('|', 1, number, coalesce(leaf.player_id, 0), coalesce(leaf.cash, 0), coalesce(leaf.held, 0),
  coalesce(leaf.at_risk, 0), left(encode(sha256(salt_key || int4send(place)), 'hex'), 32));

-- The leaves of all people to whom anything is owed, in places by chance, out of one state of the books: a leaf of
-- nothing would show the balance beside it to whoever opens many accounts. A withdrawal is owed until it is paid,
-- and a deposit that goes back until the chain has shown it, or if the bank has returned it, although both are booked
-- out of the player's held money. Returns the number of places: a power of two, so that the number of people cannot be
-- seen.
create or replace function disclosure.lay_leaves(of_number integer) returns integer
language sql set search_path = pg_catalog, pg_temp
begin atomic
  with risked as materialized (
    select player_id, sum(total)::bigint as at_risk
    from rounds.round unsettled
    join bets.bet on bet.game_id = unsettled.game_id and bet.issue = unsettled.issue
      and bet.booked_on = unsettled.game_day and bet.status = 'accepted'
    where unsettled.settled_at is null
    group by player_id
  ), approved as materialized (
    select player_id, sum(withdrawals.still_owed(withdrawal))::bigint as unpaid
    from withdrawals.withdrawal where stage in ('to_pay', 'at_bank', 'on_chain', 'payout_wrong')
    group by player_id
  ), refunded as materialized (
    select player_id, sum(amount)::bigint as unseen
    from protection.held_deposit where refund_chain in ('awaited', 'wrong') or refund_returned_by is not null
    group by player_id
  ), people as materialized (
    select player.id, cash, held + coalesce(unpaid, 0) + coalesce(unseen, 0) as held, coalesce(at_risk, 0) as at_risk
    from accounts.player join ledger.balance on holder_id = player.id
    left join risked on risked.player_id = player.id
    left join approved on approved.player_id = player.id
    left join refunded on refunded.player_id = player.id
    where accounts.is_person(player)
      and cash + held + coalesce(unpaid, 0) + coalesce(unseen, 0) + coalesce(at_risk, 0) > 0
  ), tree as (
    select min(1 << power) as size from generate_series(8, 30) power where 1 << power >= (select count(*) from people)
  ), places as (
    select *, row_number() over (order by gen_random_uuid()) - 1 as place
    from (select * from people union all
      select null, 0, 0, 0 from generate_series(1, (select size - (select count(*) from people) from tree))) each
  )
  insert into disclosure.owed_leaf
  select of_number, place, id, cash, held, at_risk from places where id is not null;
  select min(1 << power) from generate_series(8, 30) power
  where 1 << power >= (select count(*) from disclosure.owed_leaf where number = of_number);
end;

-- The nodes above the leaves, a tile of 256 at a time. Returns the root.
create or replace function disclosure.join_leaves(of_number integer, size integer, salt_key bytea) returns bytea
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  depth integer := 8;
  width integer := size / 256;
begin
  insert into disclosure.owed_node
  select of_number, depth, tile, (
    select disclosure.root_of(array_agg(int8send(coalesce(leaf.cash + leaf.held + leaf.at_risk, 0))
      || sha256('\x00'::bytea || convert_to(disclosure.leaf_text(of_number, place, leaf, salt_key), 'UTF8'))
      order by place))
    from generate_series(tile * 256, tile * 256 + 255) place
    left join disclosure.owed_leaf leaf on leaf.number = of_number and leaf.position = place
      and leaf.position between tile * 256 and tile * 256 + 255)
  from generate_series(0, width - 1) tile;
  while width > 1 loop
    insert into disclosure.owed_node
    select of_number, depth + 8, position / 256, disclosure.root_of(array_agg(node order by position))
    from disclosure.owed_node where number = of_number and level = depth group by position / 256;
    depth := depth + 8;
    width := (width + 255) / 256;
  end loop;
  return (select node from disclosure.owed_node where number = of_number and level = depth);
end
$$;

-- Counts what is owed to people now, beside what the house's addresses hold on the chain at a block, and writes it into
-- the public log, with the addresses that hold something. Amounts are micro-units. Leaves of earlier
-- counts are kept for the last three, in which players find themselves. Returns the count's number. What was counted
-- since the time of an order is the answer to it: a job whose first run was committed, but not noted as done, runs again.
create or replace function disclosure.count_owed(address_ids integer[], amounts bigint[], at_block bigint,
  ordered_at timestamptz default null) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- Random bits of two identifiers: 244 of them.
  key constant bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  moment constant timestamptz := app.now();
  of_number integer;
  places integer;
  top bytea;
begin
  perform pg_advisory_xact_lock(hashtext('disclosure.count_owed'));
  -- Not one that is ahead of now, of a clock that was.
  of_number := (select max(number) from disclosure.owed_count where counted_at between ordered_at and moment);
  if of_number is not null then return of_number; end if;
  select coalesce(max(number), 0) + 1 into of_number from disclosure.owed_count;
  places := disclosure.lay_leaves(of_number);
  top := disclosure.join_leaves(of_number, places, key);
  insert into disclosure.owed_count
  select of_number, moment, places, coalesce(sum(cash), 0), coalesce(sum(held), 0), coalesce(sum(at_risk), 0),
    disclosure.sum_of(top), substr(top, 9), key, (select coalesce(sum(amount), 0) from unnest(amounts) amount),
    at_block, (select case when day > moment::date - 7 then amount end
      from disclosure.bank_balance order by proposal_id desc limit 1)
  from disclosure.owed_leaf where number = of_number;
  insert into disclosure.address_balance
  select of_number, id, amount from unnest(address_ids, amounts) as held (id, amount);
  perform public_log.add('liabilities', number::text, 'count=' || number, 'counted_at=' || public_log.seconds(counted_at),
    'size=' || size, 'root=' || encode(root, 'hex'), 'total=' || total, 'on_chain=' || on_chain,
    'block=' || coalesce(block::text, 'none'), 'at_bank=' || coalesce(at_bank::text, 'none'),
    'addresses=' || coalesce((select string_agg(address || ':' || amount, ',' order by address)
      from disclosure.address_balance join deposits.house_address address on address.id = address_id
      where address_balance.number = of_number), 'none'))
  from disclosure.owed_count where number = of_number;
  delete from disclosure.owed_leaf where number <= of_number - 3;
  delete from disclosure.owed_node where number <= of_number - 3;
  return of_number;
end
$$;

-- The texts of a tile of leaves, in the order of their places; nothing if the count's leaves are not kept any more.
create or replace function disclosure.tile_of_leaves(of_number integer, tile integer) returns setof text
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select disclosure.leaf_text(of_number, place, leaf, salt_key)
  from disclosure.owed_count counted
  cross join generate_series(tile * 256, tile * 256 + 255) place
  left join disclosure.owed_leaf leaf on leaf.number = of_number and leaf.position = place
    and leaf.position between tile * 256 and tile * 256 + 255
  where counted.number = of_number and place < size
    and exists (select from disclosure.owed_node where owed_node.number = of_number)
  order by place;
end;

-- Lists an address of the house, whose statement and signature were checked; false if it is listed.
create or replace function disclosure.add_address(of_address text, said text, signed text, by_session text)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner');
  insert into deposits.house_address (address, statement, signature, added_at)
  values (of_address, said, signed, app.now()) on conflict do nothing;
  if not found then return false; end if;
  perform staff.audit_action(by_session, 'reserve_address_added', 'reserve_address:' || of_address,
    jsonb_build_object('statement', said));
  return true;
end
$$;

-- Takes an address off the list; false if it is not on it.
create or replace function disclosure.remove_address(of_id integer, by_session text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone text;
begin
  perform staff.acting(by_session, 'owner');
  update deposits.house_address set removed_at = app.now()
  where id = of_id and removed_at is null returning address into gone;
  if gone is null then return false; end if;
  perform staff.audit_action(by_session, 'reserve_address_removed', 'reserve_address:' || gone, '{}');
  return true;
end
$$;

-- A bank's balance is what its statement says; only one waits at a time.
create or replace function disclosure.judge_bank_balance(proposed staff.proposal, of_role text) returns text
language sql immutable
return null::text;

create or replace function disclosure.set_bank_balance(confirmed staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into disclosure.bank_balance
  values ((confirmed).id, ((confirmed).content->>'amount')::bigint, ((confirmed).content->>'day')::date);
end;

-- The demo's own address, once.
create or replace function disclosure.add_own_address(of_address text, said text, signed text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into deposits.house_address (address, statement, signature, added_at)
  select of_address, said, signed, app.now()
  where not exists (select from deposits.house_address where address = of_address);
  return found;
end
$$;

-- What people staked on each outcome of a game day, and were paid. One draw decides all stakes on an outcome in a
-- round, so their sum is what varies.
create or replace function disclosure.returns_of_day(of_day date) returns setof disclosure.return_day
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with stake as (
    select bet.game_id, bet.issue, chosen.id as rule_id, sum(bet.stake) as staked,
      sum(bet.stake * chosen.odds / 1000) as pays
    from rounds.round
    join bets.bet on bet.game_id = round.game_id and bet.issue = round.issue and bet.booked_on = of_day
    join accounts.player on player.id = bet.player_id
    cross join lateral unnest(bet.rule_ids, bet.odds_milli) as chosen (id, odds)
    where round.game_day = of_day and bet.status in ('won', 'lost') and accounts.is_person(player)
    group by 1, 2, 3
  ), decided as (
    select stake.*, ways, rule_id = any (games.winning_rules(draw.total)) as won
    from stake join rounds.draw using (game_id, issue) join games.rule on rule.id = rule_id
  )
  select of_day, game_id, rule_id, count(*)::integer, (count(*) filter (where won))::integer, sum(staked)::bigint,
    coalesce(sum(pays) filter (where won), 0)::bigint, sum(pays * ways) / 1000,
    sum(pays * pays * ways * (1000 - ways)) / 1000000, max(pays)::bigint
  from decided group by 2, 3;
end;

-- Theory against fact: each game and outcome over one, 30 and 365 game days up to a day. `chance` is at most how likely
-- luck alone brings a deviation as large anywhere among these tests: Bernstein's inequality, which holds however rare
-- an outcome is, if stakes ignore earlier draws, times their number (Bonferroni).
create or replace function disclosure.returns_until(of_day date)
returns table (game_id smallint, rule_id smallint, days integer, rounds integer, wins integer, staked bigint,
  paid bigint, expected bigint, deviation bigint, chance double precision)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with summed as (
    select game_id, rule_id, period.days, sum(rounds) as rounds, sum(wins) as wins, sum(staked) as staked,
      sum(paid) as paid, sum(expected) as expected, sum(variance) as variance, max(largest) as largest
    from unnest(array[1, 30, 365]) as period (days)
    join disclosure.return_day on day > of_day - period.days and day <= of_day
    group by 1, 2, 3
  )
  select game_id, rule_id, days, rounds::integer, wins::integer, staked::bigint, paid::bigint, round(expected)::bigint,
    round(sqrt(variance))::bigint,
    least(1, 2 * count(*) over () * exp(-(least(700, (paid - expected) ^ 2
      / (2 * (variance + largest * abs(paid - expected) / 3)))::double precision)))
  from summed;
end;

-- Compares the returns of a finished game day with theory, once. A deviation is unlikely if luck brings it in fewer than
-- one of a thousand such reports.
create or replace function disclosure.report_returns(of_day date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('disclosure.report_returns'));
  if exists (select from disclosure.return_report where day >= of_day) then return; end if;
  insert into disclosure.return_day select * from disclosure.returns_of_day(of_day);
  insert into disclosure.return_report (day, tests, unlikely, newly_unlikely)
  select of_day, count(*), count(*) filter (where now.chance < 0.001),
    -- Reports of a month or a year have most of their rounds in common.
    count(*) filter (where now.chance < 0.001 and (now.days = 1 or (before.chance < 0.001) is not true))
  from disclosure.returns_until(of_day) now
    left join disclosure.returns_until((select max(day) from disclosure.return_report)) before
      using (game_id, rule_id, days);
  perform public_log.add('returns', of_day::text, 'day=' || of_day, 'tests=' || tests, 'unlikely=' || unlikely,
    'returns=' || coalesce((select string_agg(concat_ws(':', game_id, rule_id, rounds, wins, staked, paid,
      round(expected), round(variance), largest), ',' order by game_id, rule_id)
      from disclosure.return_day where day = of_day), ''))
  from disclosure.return_report where day = of_day;
end
$$;

-- The earliest game day before another that is finished and not reported; null if there is none.
create or replace function disclosure.day_to_report(before_day date) returns date
language sql stable set search_path = pg_catalog, pg_temp
return (select min(game_day) from rounds.day
  where game_day < before_day and game_day > coalesce((select max(day) from disclosure.return_report), '-infinity')
    and not exists (select from rounds.round where round.game_day <= day.game_day and settled_at is null));

select app.refuse('update or delete', 'disclosure.owed_count', 'disclosure.address_balance',
  'disclosure.bank_balance', 'disclosure.return_day', 'disclosure.return_report');

grant select on disclosure.address_balance, disclosure.bank_balance, disclosure.owed_leaf, disclosure.owed_node,
  disclosure.return_day, disclosure.return_report to sum28_api, sum28_jobs;
grant select (number, counted_at, size, cash, held, at_risk, total, root, on_chain, block, at_bank) on
  disclosure.owed_count to sum28_api, sum28_jobs;
grant execute on function disclosure.add_address, disclosure.remove_address, disclosure.returns_until,
  disclosure.tile_of_leaves to sum28_api;
grant execute on function disclosure.add_own_address, disclosure.count_owed, disclosure.day_to_report,
  disclosure.report_returns to sum28_jobs;
