-- The console's area start: what needs a person now, and the figures of the day.

-- The rules that a sum hits: size, parity, both, and the sum itself.
create or replace function console_start.winning_rules(sum integer) returns integer[]
language sql immutable
return array[
  case when sum >= 14 then 1 else 2 end,
  case when sum % 2 = 1 then 3 else 4 end,
  11 + case when sum >= 14 then 0 else 2 end + case when sum % 2 = 1 then 0 else 1 end,
  400 + sum];

-- Of a round's settled bets, what was expected of each room, and of all (room 0): for each of the 28 sums,
-- what would have been paid, weighted by how many of the 1,000 draws have that sum.
create or replace function console_start.expected_of(of_game smallint, of_issue bigint)
returns table (room_id integer, robots boolean, expected numeric, variance numeric)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with pays as (
    select bet.room_id, player.kind = 'robot' as robots, rule.id as rule_id, sum(bet.stake * rule.odds / 1000.0) as pays
    from bets.bet
    join accounts.player on player.id = bet.player_id
    cross join lateral unnest(bet.rule_ids, bet.odds_milli) as rule (id, odds)
    where bet.game_id = of_game and bet.issue = of_issue and bet.status in ('won', 'lost')
    group by 1, 2, 3
  ), of_sums as (
    select coalesce(pays.room_id, 0) as room_id, pays.robots, rule.id as sum, rule.ways, sum(pays.pays) as pays
    from games.rule join pays on pays.rule_id = any (console_start.winning_rules(rule.id - 400))
    where rule.id >= 400
    group by grouping sets ((pays.room_id, pays.robots, rule.id, rule.ways), (pays.robots, rule.id, rule.ways))
  )
  select of_sums.room_id, of_sums.robots, sum(ways * pays) / 1000,
    sum(ways * pays * pays) / 1000 - (sum(ways * pays) / 1000) ^ 2
  from of_sums group by 1, 2;
end;

-- Counts one finished round.
create or replace function console_start.count_round(of_game smallint, of_issue bigint, of_day date, ended timestamptz)
returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  with done as (
    select bet.room_id, player.kind = 'robot' as robots, bet.total, bet.payout
    from bets.bet join accounts.player on player.id = bet.player_id
    where bet.game_id = of_game and bet.issue = of_issue and bet.status in ('won', 'lost')
  ), summed as (
    select coalesce(room_id, 0) as room_id, robots, count(*) as bets, sum(total) as staked, sum(payout) as paid
    from done group by grouping sets ((room_id, robots), (robots))
  )
  insert into console_start.round_figure
  select of_game, of_issue, summed.room_id, summed.robots, of_day, ended, bets, staked, paid, figure.expected, figure.variance
  from summed join console_start.expected_of(of_game, of_issue) figure
    on figure.room_id = summed.room_id and figure.robots = summed.robots
  on conflict do nothing;
  -- A round without bets of players is counted too.
  insert into console_start.round_figure values (of_game, of_issue, 0, false, of_day, ended, 0, 0, 0, 0, 0)
  on conflict do nothing;
  insert into console_start.day_player
  select distinct of_day, bet.player_id from bets.bet join accounts.player on player.id = bet.player_id
  where bet.game_id = of_game and bet.issue = of_issue and bet.status in ('won', 'lost') and player.kind = 'person'
  on conflict do nothing;
end;

-- Counts finished rounds of the last nine days that are not counted yet, so many at most. Answers how many.
-- One process counts at a time.
create or replace function console_start.count_rounds(rounds_max integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due record;
  counted integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('console_start.count_rounds')) then return 0; end if;
  for due in
    select round.game_id, round.issue, round.game_day, round.draws_at
    from games.game cross join lateral (
      select * from rounds.round
      where game_id = game.id and draws_at > app.now() - interval '9 days'
        and (state = 'settled' or state = 'voided')) round
    where not exists (select from console_start.round_figure figure
        where figure.game_id = round.game_id and figure.issue = round.issue and figure.room_id = 0 and not figure.robots)
      and not exists (select from bets.bet
        where bet.game_id = round.game_id and bet.issue = round.issue and bet.status = 'accepted')
    order by round.draws_at desc limit rounds_max
  loop
    perform console_start.count_round(due.game_id, due.issue, due.game_day, due.draws_at);
    counted := counted + 1;
  end loop;
  return counted;
end
$$;

-- What the application may do.
grant usage on schema console_start to sum28_application;
grant select on console_start.round_figure, console_start.day_player to sum28_application;
grant execute on function console_start.count_rounds to sum28_application;
