-- The keys that make a repeated request act once.

create schema wallet;

create type wallet.movement as (
  player_id integer,
  booked_on date,
  amount bigint,
  reference text
);
comment on type wallet.movement is 'An amount of a player''s money to be moved, the day that it counts for, and what caused it.';

create table wallet.idempotency_key (
  player_id integer not null,
  key text not null check (length(key) between 1 and 255),
  route text not null,
  input_hash bytea not null,
  result jsonb,
  created_at timestamptz not null default app.now(),
  primary key (player_id, key)
) with (fillfactor = 50);
comment on table wallet.idempotency_key is
  'Keys of players'' requests that act once, with what the reply is made from.';
create index idempotency_key_by_age on wallet.idempotency_key (created_at);

create table wallet.adjustment (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  kind text not null check (kind in ('bonus', 'credit', 'debit')),
  amount bigint not null check (amount > 0),
  -- The player reads it.
  reason text not null,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'refused', 'withdrawn')),
  proposed_by integer not null references staff.member,
  proposed_at timestamptz not null,
  decided_by integer references staff.member,
  decided_at timestamptz,
  -- Why it was refused or withdrawn.
  refuse_reason text,
  constraint two_persons check (state <> 'confirmed' or decided_by <> proposed_by),
  constraint decision_is_whole check ((decided_by is null) = (state = 'proposed')
    and (decided_at is null) = (state = 'proposed')),
  constraint refused_with_a_reason check ((refuse_reason is not null) = (state in ('refused', 'withdrawn')))
);
comment on table wallet.adjustment is
  'Bonuses and corrections of balances: proposed by one person of staff, confirmed by another.';
comment on column wallet.adjustment.kind is 'bonus: a gift. credit, debit: a correction up or down.';
comment on column wallet.adjustment.amount is 'Micro-units.';
create index adjustment_by_state on wallet.adjustment (state, id);
create index adjustment_by_player on wallet.adjustment (player_id, id);
create index adjustment_waiting on wallet.adjustment (proposed_at) where state = 'proposed';
create index adjustment_by_decision on wallet.adjustment (decided_at) where state = 'confirmed';
create index adjustment_by_kind on wallet.adjustment (kind, id);
create index adjustment_by_proposer on wallet.adjustment (proposed_by, id);
create index adjustment_decided on wallet.adjustment (decided_at);

create table wallet.adjustment_limit (
  role text primary key check (role in ('owner', 'finance', 'support')),
  amount_max bigint not null check (amount_max >= 0)
);
comment on table wallet.adjustment_limit is
  'How much a role may propose or confirm for one player within 24 hours. Written by the owner at each start.';
comment on column wallet.adjustment_limit.amount_max is 'Micro-units.';

insert into wallet.adjustment_limit values ('support', 50000000), ('finance', 1000000000), ('owner', 10000000000);
