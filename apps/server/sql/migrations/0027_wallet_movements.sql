-- What modules ask the wallet to move: an amount of a player's money, the day that it counts for, and
-- what caused it. Which accounts it moves between follows from the function that is asked.

create type wallet.movement as (
  player_id integer,
  booked_on date,
  amount bigint,
  reference text
);
