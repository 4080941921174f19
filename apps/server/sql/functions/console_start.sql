-- The console's area start: tasks that need a person now, and the figures of the day.

-- The expected payouts of a round's settled bets, for each room and for all (room 0): for each of the 28 sums the
-- payout, weighted by how many of the 1,000 draws have that sum.
create or replace function console_start.expected_of(of_game smallint, of_issue bigint)
returns table (room_id integer, robots boolean, expected numeric, variance numeric)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with pays as (
    select bet.room_id, not accounts.is_person(player) as robots, rule.id as rule_id, sum(bet.stake * rule.odds / 1000.0) as pays
    from bets.bet
    join accounts.player on player.id = bet.player_id
    cross join lateral unnest(bet.rule_ids, bet.odds_milli) as rule (id, odds)
    where bet.game_id = of_game and bet.issue = of_issue and bet.status in ('won', 'lost')
      and bet.booked_on = (select game_day from rounds.round where game_id = of_game and issue = of_issue)
    group by 1, 2, 3
  ), of_sums as (
    select coalesce(pays.room_id, 0) as room_id, pays.robots, rule.id as sum, rule.ways, sum(pays.pays) as pays
    from games.rule join pays on pays.rule_id = any (games.winning_rules(rule.id - 400))
    where rule.id >= 400
    group by grouping sets ((pays.room_id, pays.robots, rule.id, rule.ways), (pays.robots, rule.id, rule.ways))
  )
  select of_sums.room_id, of_sums.robots, sum(ways * pays) / 1000,
    sum(ways * pays * pays) / 1000 - (sum(ways * pays) / 1000) ^ 2
  from of_sums group by 1, 2;
end;

-- Adds the bets of a finished round to the totals of their players.
create or replace function console_start.add_to_players(of_game smallint, of_issue bigint, of_day date) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into console_start.player_figure as figure
  select of_day, bet.player_id, bet.room_id, not accounts.is_person(player), count(*), sum(bet.total), sum(bet.payout),
    sum(bet.stake * theory.weight / 1000000.0)
  from bets.bet
  join accounts.player on player.id = bet.player_id
  cross join lateral (
    select sum(chosen.odds::bigint * rule.ways) as weight
    from unnest(bet.rule_ids, bet.odds_milli) as chosen (id, odds) join games.rule on rule.id = chosen.id) theory
  where bet.game_id = of_game and bet.issue = of_issue and bet.booked_on = of_day and bet.status in ('won', 'lost')
  group by bet.player_id, bet.room_id, accounts.is_person(player)
  on conflict (game_day, player_id, room_id) do update
  set bets = figure.bets + excluded.bets, staked = figure.staked + excluded.staked, paid = figure.paid + excluded.paid,
    expected = figure.expected + excluded.expected;
end
$$;

-- Counts one finished round, and adds it to the totals of its day and of its players. Fails if it was counted before.
create or replace function console_start.count_round(of_game smallint, of_issue bigint, of_day date, ended timestamptz)
returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  with done as (
    select bet.room_id, not accounts.is_person(player) as robots, bet.total, bet.payout
    from bets.bet join accounts.player on player.id = bet.player_id
    where bet.game_id = of_game and bet.issue = of_issue and bet.booked_on = of_day and bet.status in ('won', 'lost')
  ), summed as (
    select coalesce(room_id, 0) as room_id, robots, count(*) as bets, sum(total) as staked, sum(payout) as paid
    from done group by grouping sets ((room_id, robots), (robots))
  )
  insert into console_start.round_figure
  select of_game, of_issue, summed.room_id, summed.robots, of_day, ended, bets, staked, paid, figure.expected, figure.variance
  from summed join console_start.expected_of(of_game, of_issue) figure
    on figure.room_id = summed.room_id and figure.robots = summed.robots;
  -- A round without bets of players is counted too.
  insert into console_start.round_figure values (of_game, of_issue, 0, false, of_day, ended, 0, 0, 0, 0, 0)
  on conflict do nothing;
  insert into console_start.day_figure as figure
  select game_day, game_id, room_id, robots, bets, staked, paid, expected, variance
  from console_start.round_figure where game_id = of_game and issue = of_issue and bets > 0
  on conflict (game_day, game_id, room_id, robots) do update
  set bets = figure.bets + excluded.bets, staked = figure.staked + excluded.staked, paid = figure.paid + excluded.paid,
    expected = figure.expected + excluded.expected, variance = figure.variance + excluded.variance;
  select console_start.add_to_players(of_game, of_issue, of_day);
end;

-- Records up to when every round of a game is counted. The last day is checked each time, because a round may be
-- opened late.
create or replace function console_start.note_counted(of_game smallint) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  with before as (
    select coalesce((select through from console_start.counted where game_id = of_game), '-infinity') as through
  ), uncounted as (
    -- The first one only, so that the rest is not read.
    select draws_at - interval '1 microsecond' as at from rounds.round
    where round.game_id = of_game and draws_at > (select through from before)
      and not exists (select from console_start.round_figure figure
        where figure.game_id = of_game and figure.issue = round.issue)
    order by draws_at limit 1
  )
  insert into console_start.counted
  select of_game, greatest(before.through, least(uncounted.at, app.now() - interval '1 day'))
  from before left join uncounted on true
  on conflict (game_id) do update set through = excluded.through;
end;

-- Counts finished rounds that are not counted yet, of each game the oldest first, up to so many of a game. Earlier
-- rounds are counted already, and are not checked again. Returns how many. One process counts at a time.
create or replace function console_start.count_rounds(rounds_max integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  due record;
  done integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('console_start.count_rounds')) then return 0; end if;
  for due in
    select round.*
    from games.game left join console_start.counted on counted.game_id = game.id cross join lateral (
      select game_id, issue, game_day, draws_at from rounds.round
      where round.game_id = game.id and draws_at > coalesce(counted.through, '-infinity') and settled_at is not null
        and not exists (select from console_start.round_figure figure
          where figure.game_id = round.game_id and figure.issue = round.issue)
      order by draws_at limit rounds_max
    ) round
  loop
    perform console_start.count_round(due.game_id, due.issue, due.game_day, due.draws_at);
    done := done + 1;
  end loop;
  perform console_start.note_counted(id) from games.game;
  return done;
end
$$;

-- Players' deposits and withdrawals, from the journal: deposits including held ones, without those that were paid
-- back or taken back; withdrawals at their approval, minus those that were reversed. Adjusted: bonuses and corrections;
-- corrections down are negative. The first condition is that of the partial indexes of postings by time
-- (posting_of_money, posting_of_money_of_holder); without it they are not used.
create or replace view console_start.money_moved as
select posted_at, holder_id as player_id,
  case kind when 'deposit' then amount when 'deposit_held' then amount when 'deposit_refunded' then -amount
    when 'deposit_taken_back' then -amount when 'held_taken_back' then -amount else 0 end as deposited,
  case kind when 'withdrawal_paid' then amount when 'withdrawal_reversed' then -amount else 0 end as withdrawn,
  case kind when 'bonus' then amount when 'adjustment_credit' then amount when 'adjustment_debit' then -amount
    else 0 end as adjusted
from ledger.posting
where kind not in ('stake', 'payout', 'refund')
  and kind in ('deposit', 'deposit_held', 'deposit_refunded', 'withdrawal_paid', 'withdrawal_reversed',
    'deposit_taken_back', 'held_taken_back', 'bonus', 'adjustment_credit', 'adjustment_debit');

grant select on console_start.day_figure, console_start.money_moved, console_start.player_figure,
  console_start.round_figure to sum28_api, sum28_jobs;
grant execute on function console_start.count_rounds to sum28_jobs;
