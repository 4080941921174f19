-- Movements of players' money.

-- An amount of a player's money to be moved, the day that it counts for, and what caused it.
create type wallet.movement as (
  player_id integer,
  booked_on date,
  amount bigint,
  reference text
);

-- How much a role may propose or confirm for one player within 24 hours. Written by the owner at each start.
create table wallet.adjustment_limit (
  role text primary key check (role in ('owner', 'finance', 'support')),
  -- Micro-units.
  amount_max bigint not null check (amount_max >= 0)
);

insert into wallet.adjustment_limit values ('support', 50000000), ('finance', 1000000000), ('owner', 10000000000);
