-- House robots: programs of the house that bet on house money, through the same code as people.

create schema robots;

-- Which robot sits where. Of a room's robots those with a place up to games.room.robots bet.
create table robots.robot (
  player_id integer primary key references accounts.player,
  room_id integer not null references games.room,
  place smallint not null check (place between 1 and 50),
  unique (room_id, place)
);

-- One row: whether the demo's robots were once seated, so that what the operator changes stays.
create table robots.house (
  singleton boolean primary key default true check (singleton),
  seated_at timestamptz
);

insert into robots.house default values;
