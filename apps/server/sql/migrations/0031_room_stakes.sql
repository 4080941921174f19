-- What a player has staked in a room in a round, which each of his heartbeats tells: one row to read, however
-- many bets he has in the round.

create table bets.room_stake (
  -- First, so that the rows of past days lie together and are deleted together.
  issue bigint not null,
  game_id smallint not null,
  player_id integer not null,
  room_id integer not null,
  -- Micro-units. Refunded stakes are not in it.
  staked bigint not null check (staked >= 0),
  primary key (issue, game_id, player_id, room_id)
)
-- A row changes with each further bet; its new version stays in its page.
with (fillfactor = 50);
comment on table bets.room_stake is 'A player''s stakes in a room in a round, for two days. Follows from bets.bet and can be made from it anew.';

insert into bets.room_stake (issue, game_id, player_id, room_id, staked)
select issue, game_id, player_id, room_id, sum(total)
from bets.bet join rounds.round using (game_id, issue)
where round.settled_at is null and bet.status <> 'refunded'
group by issue, game_id, player_id, room_id;
