-- The four games, their rooms, and each room's odds.

create table games.house (
  singleton boolean primary key default true check (singleton),
  stopped boolean not null default false,
  -- Since when the clocks of database and beacon disagree, which stops all betting; null while they agree.
  clocks_apart_since timestamptz,
  -- When the comparison of the two began that last found that they agree, or when one found that they do not. Null in
  -- the databases of tests, where none is needed.
  clocks_compared_at timestamptz default '-infinity',
  -- The newest value of which beacon was verified; a round's book names it.
  beacon_seen bigint check (beacon_seen > 0),
  beacon_seen_chain text,
  -- When the demo's robots were seated.
  robots_seated_at timestamptz,
  -- The most that all bets of a player in one round may pay together, in micro-units.
  payout_max bigint not null default 1000000000000
    constraint payout_max_positive check (payout_max > 0),
  -- Counts the stops and openings of all betting, as room.changes does for a room.
  changes bigint not null default 0
);

insert into games.house default values;

create table games.game (
  id smallint primary key,
  name text not null unique,
  stopped boolean not null default false,
  changes bigint not null default 0
);

insert into games.game (id, name) values (1, 'DOT'), (2, 'BCH'), (3, 'ETH'), (4, 'BTC');

-- A table of a game with its limits, in micro-units.
create table games.room (
  id integer primary key,
  game_id smallint not null references games.game,
  title text not null,
  -- 0 basic, 1 senior, 2 master, 3 expert.
  type smallint not null check (type between 0 and 3),
  -- The least total of one order, the most, and the balance one needs to enter; micro-units.
  stake_min bigint not null check (stake_min > 0),
  stake_max bigint not null,
  entry_min bigint not null check (entry_min >= 0),
  robots smallint not null default 0 check (robots between 0 and 50),
  stopped boolean not null default false,
  -- Counts the changes of the room's odds and limits; stored in each bet.
  rules_version integer not null default 1,
  -- Counts all changes of the row: the greater one of two answers about a room is the later.
  changes bigint not null default 0,
  check (stake_max >= stake_min)
);

insert into games.room (id, game_id, title, type, stake_min, stake_max, entry_min)
select game.id * 10 + kind.type + 1, game.id, kind.title, kind.type,
  kind.stake_min * 1000000, 1000000 * 1000000::bigint, kind.entry_min * 1000000
from games.game,
  (values (0, 'Basic', 100::bigint, 100::bigint), (1, 'Senior', 200, 1000),
    (2, 'Master', 500, 5000), (3, 'Expert', 1000, 20000)) kind (type, title, stake_min, entry_min);

-- The 36 outcomes, and how many of the 1,000 draws hit each.
create table games.rule (
  id smallint primary key,
  outcome text not null unique,
  ways smallint not null check (ways between 1 and 1000)
);

insert into games.rule (id, outcome, ways) values
  (1, 'long', 500), (2, 'short', 500), (3, 'odd', 500), (4, 'even', 500),
  (11, 'long-odd', 231), (12, 'long-even', 269), (13, 'short-odd', 269), (14, 'short-even', 231);

-- Each sum by itself; 27 - s has as many ways as s.
insert into games.rule (id, outcome, ways)
select 400 + total, total::text,
  ('{1,3,6,10,15,21,28,36,45,55,63,69,73,75}'::smallint[])[least(total, 27 - total) + 1]
from generate_series(0, 27) total;

-- Decimal odds of a room in thousandths.
create table games.odds (
  room_id integer not null references games.room,
  rule_id smallint not null references games.rule,
  odds_milli integer not null check (odds_milli > 0),
  primary key (room_id, rule_id)
);

insert into games.odds (room_id, rule_id, odds_milli)
select room.id, rule.id, ((array[960, 965, 970, 975])[room.type + 1] * 1000) / rule.ways
from games.room, games.rule;

-- Stops of betting from a time until another, and what players are told of them.
create table games.planned_stop (
  id integer generated always as identity primary key,
  scope text not null check (scope in ('all', 'game', 'room')),
  -- A game's or a room's id; 0 for all.
  subject_id integer not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  told text not null check (told <> '' and length(told) <= 200),
  planned_by integer not null references staff.member,
  -- over: it has ended, or was cancelled.
  state text not null default 'planned' check (state in ('planned', 'begun', 'over')),
  check ((scope = 'all') = (subject_id = 0)),
  check (ends_at > begins_at)
);
create index planned_stop_not_over on games.planned_stop (begins_at, id) where state <> 'over';

-- Why something is stopped, by whom and since when; a row while it is. What decides is `stopped` of
-- games.house, games.game and games.room.
create table games.stop (
  -- Another one after each change: who ends a stop has seen it as it is.
  id integer not null generated always as identity,
  scope text not null check (scope in ('all', 'game', 'room')),
  -- A game's or a room's id; 0 for all.
  subject_id integer not null,
  reason text not null check (reason in ('maintenance', 'fault', 'investigation', 'other')),
  note text,
  stopped_by integer not null references staff.member,
  stopped_at timestamptz not null,
  -- The plan that made it, and that ends it; null: a person did.
  planned_stop integer references games.planned_stop,
  primary key (scope, subject_id),
  check ((scope = 'all') = (subject_id = 0)),
  check (reason <> 'other' or note is not null)
);
