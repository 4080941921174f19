-- Seed chains: committed before their first round, one seed a round, used in order.

create table fairness.chain (
  id integer generated always as identity primary key,
  game_id smallint not null references games.game,
  length integer not null check (length between 1 and 1048576),
  commitment bytea not null unique check (octet_length(commitment) = 32),
  -- The first secret, encrypted under a key that is not in the database.
  encrypted_secret bytea not null,
  key_id text not null,
  committed_at timestamptz not null default app.now(),
  -- How many rounds have taken a seed; the next takes seed number used + 1.
  used integer not null default 0 check (used between 0 and length)
);
