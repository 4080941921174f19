-- Movements of players' money.

create schema wallet;

create type wallet.movement as (
  player_id integer,
  booked_on date,
  amount bigint,
  reference text
);
comment on type wallet.movement is 'An amount of a player''s money to be moved, the day that it counts for, and what caused it.';

create table wallet.adjustment_limit (
  role text primary key check (role in ('owner', 'finance', 'support')),
  amount_max bigint not null check (amount_max >= 0)
);
comment on table wallet.adjustment_limit is
  'How much a role may propose or confirm for one player within 24 hours. Written by the owner at each start.';
comment on column wallet.adjustment_limit.amount_max is 'Micro-units.';

insert into wallet.adjustment_limit values ('support', 50000000), ('finance', 1000000000), ('owner', 10000000000);
