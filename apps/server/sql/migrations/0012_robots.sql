-- House robots: programs of the house that bet on house money, through the same code as people.

-- In which room and seat each robot sits.
create table robots.robot (
  player_id integer primary key references accounts.player,
  room_id integer not null references games.room,
  seat smallint not null check (seat between 1 and 50),
  unique (room_id, seat)
);
