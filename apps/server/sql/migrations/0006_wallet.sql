-- The keys that make a repeated request act once.

create schema wallet;

-- A request that named a key. The result is what the reply is made from, and is written in the
-- transaction that acts.
create table wallet.idempotency_key (
  player_id integer not null,
  key text not null check (length(key) between 1 and 255),
  route text not null,
  input_hash bytea not null,
  result jsonb,
  created_at timestamptz not null default app.now(),
  primary key (player_id, key)
);
create index idempotency_key_by_age on wallet.idempotency_key (created_at);
