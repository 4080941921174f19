-- The four games, their rooms, and each room's odds.

create schema games;
grant usage on schema games to sum28_application;

-- One row: what holds for all games.
create table games.house (
  singleton boolean primary key default true check (singleton),
  stopped boolean not null default false
);
insert into games.house default values;

create table games.game (
  id smallint primary key,
  name text not null unique,
  stopped boolean not null default false
);
insert into games.game (id, name) values (1, 'DOT'), (2, 'BCH'), (3, 'ETH'), (4, 'BTC');

create table games.room (
  id integer primary key,
  game_id smallint not null references games.game,
  title text not null,
  -- 0 basic, 1 senior, 2 master, 3 expert
  type smallint not null check (type between 0 and 3),
  -- The least total of one order, the most, and the balance one needs to enter; micro-units.
  stake_min bigint not null check (stake_min > 0),
  stake_max bigint not null,
  entry_min bigint not null check (entry_min >= 0),
  robots smallint not null default 0 check (robots between 0 and 50),
  stopped boolean not null default false,
  -- Counts the changes of this room's odds and limits; fixed into each bet.
  rules_version integer not null default 1,
  check (stake_max >= stake_min)
);
insert into games.room (id, game_id, title, type, stake_min, stake_max, entry_min)
select game.id * 10 + kind.type + 1, game.id, kind.title, kind.type,
  kind.stake_min * 1000000, 1000000 * 1000000::bigint, kind.entry_min * 1000000
from games.game,
  (values (0, 'Basic', 100::bigint, 100::bigint), (1, 'Senior', 200, 1000),
    (2, 'Master', 500, 5000), (3, 'Expert', 1000, 20000)) kind (type, title, stake_min, entry_min);

-- The 36 outcomes. ways: how many of the 1,000 draws hit.
create table games.rule (
  id smallint primary key,
  outcome text not null unique,
  ways smallint not null check (ways between 1 and 1000)
);

create function games.ways_of_sum(total integer) returns integer
language sql immutable
return (select count(*)::integer
  from generate_series(0, 9) a, generate_series(0, 9) b
  where total - a - b between 0 and 9);

insert into games.rule (id, outcome, ways) values
  (1, 'long', 500), (2, 'short', 500), (3, 'odd', 500), (4, 'even', 500),
  (11, 'long-odd', 231), (12, 'long-even', 269), (13, 'short-odd', 269), (14, 'short-even', 231);
insert into games.rule (id, outcome, ways)
select 400 + total, total::text, games.ways_of_sum(total) from generate_series(0, 27) total;

-- The rules that a sum hits: always four.
create function games.winning_rules(total integer) returns smallint[]
language sql immutable
return array[
  case when total >= 14 then 1 else 2 end,
  case when total % 2 = 1 then 3 else 4 end,
  case when total >= 14 then 11 else 13 end + case when total % 2 = 1 then 0 else 1 end,
  400 + total]::smallint[];

-- Decimal odds in thousandths. Odds x ways is the return in millionths: within 0.75 ... 1.
create table games.odds (
  room_id integer not null references games.room,
  rule_id smallint not null references games.rule,
  odds_milli integer not null check (odds_milli > 0),
  primary key (room_id, rule_id)
);

create function games.check_return() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  ppm bigint;
begin
  select new.odds_milli::bigint * ways into ppm from games.rule where id = new.rule_id;
  if ppm not between 750000 and 1000000 then
    raise exception 'odds of % thousandths on rule % return % millionths: allowed are 750000 to 1000000',
      new.odds_milli, new.rule_id, ppm using errcode = 'check_violation', constraint = 'odds_return';
  end if;
  return new;
end
$$;
create trigger odds_return before insert or update on games.odds
  for each row execute function games.check_return();

insert into games.odds (room_id, rule_id, odds_milli)
select room.id, rule.id, ((array[960, 965, 970, 975])[room.type + 1] * 1000) / rule.ways
from games.room, games.rule;

grant select on all tables in schema games to sum28_application;
