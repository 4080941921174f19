-- What the screens of results read: where each drawn round's candle opens, and how many results each
-- day has. Both are written once, with the draw or the void, and read by day.

create table rounds.candle (
  game_id smallint not null,
  game_day date not null,
  issue bigint not null,
  -- The game's index before the round, in halves: 0 before the day's first draw, and each draw moves
  -- it by its three digits less 13.5. The candle itself follows from it and the digits.
  opened integer not null,
  primary key (game_id, game_day, issue)
);
comment on table rounds.candle is 'Follows from rounds.draw and can be made from it anew.';

-- Also a round that is drawn after one that followed it: the day's later candles move with it.
create function rounds.add_candle() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  day date;
  opening integer;
begin
  -- Two draws of a game never overlook each other.
  perform pg_advisory_xact_lock(hashtext('rounds.candle'), new.game_id);
  select game_day into day from rounds.round
  where round.game_id = new.game_id and round.issue = new.issue;
  select opened + 2 * total - 27 into opening
  from rounds.candle join rounds.draw using (game_id, issue)
  where candle.game_id = new.game_id and game_day = day and candle.issue < new.issue
  order by candle.issue desc limit 1;
  insert into rounds.candle (game_id, game_day, issue, opened)
  values (new.game_id, day, new.issue, coalesce(opening, 0));
  update rounds.candle set opened = opened + 2 * new.total - 27
  where game_id = new.game_id and game_day = day and issue > new.issue;
  return null;
end
$$;
create trigger draw_has_candle after insert on rounds.draw
  for each row execute function rounds.add_candle();

insert into rounds.candle (game_id, game_day, issue, opened)
select game_id, game_day, issue, coalesce(sum(2 * total - 27) over so_far, 0)
from rounds.round join rounds.draw using (game_id, issue)
window so_far as (partition by game_id, game_day order by issue
  rows between unbounded preceding and 1 preceding);

create table rounds.day (
  game_id smallint not null,
  game_day date not null,
  -- How many of its rounds were drawn or voided.
  results integer not null,
  primary key (game_id, game_day)
);
comment on table rounds.day is 'Follows from rounds.round and can be made from it anew.';

create function rounds.count_result() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into rounds.day (game_id, game_day, results) values (new.game_id, new.game_day, 1)
  on conflict (game_id, game_day) do update set results = day.results + 1;
  return null;
end
$$;
create trigger round_result_counted after update on rounds.round
  for each row
  when (old.state in ('open', 'sealed') and new.state in ('drawn', 'voided'))
  execute function rounds.count_result();

insert into rounds.day (game_id, game_day, results)
select game_id, game_day, count(*) from rounds.round
where state in ('drawn', 'settled', 'voided') group by game_id, game_day;

revoke execute on function rounds.add_candle, rounds.count_result from public;
grant select on rounds.candle, rounds.day to sum28_application;
