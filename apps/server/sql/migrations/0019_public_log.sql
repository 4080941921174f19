-- The public log: what was published of chains and rounds, in one order that nobody changes later.

-- The log's names: the last one is in use. Only the owner begins another, when what was lost of one cannot be restored.
create table public_log.name (
  number integer primary key check (number > 0),
  begun_at timestamptz not null default app.now(),
  -- Whether the process that continues it asks witnesses to sign it.
  asks_witnesses boolean not null default false
);
insert into public_log.name (number) values (1);

-- The public log's entries, each written in the transaction that makes its fact. Rows never change.
create table public_log.entry (
  id bigint generated always as identity primary key,
  -- What it is about; each fact is written once.
  subject text not null unique,
  text text not null check (octet_length(text) between 1 and 65535),
  -- Its place in the log, from 0; null until the sequencer gives one.
  position bigint unique check (position >= 0),
  written_at timestamptz not null default app.now()
);
create index entry_waiting on public_log.entry (id) where position is null;
create index entry_of_key on public_log.entry (id) where subject like 'key %';

-- The roots of the log's full subtrees of 256^level entries. Follows from its entries.
create table public_log.node (
  level smallint not null check (level between 1 and 7),
  position bigint not null check (position >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (level, position)
);

-- The log's states that were signed. Rows never change.
create table public_log.checkpoint (
  id bigint generated always as identity primary key,
  origin text not null,
  size bigint not null check (size >= 0),
  -- A signed note (c2sp.org/signed-note) with the cosignatures that came.
  note text not null,
  -- The earliest time of a cosignature, by the clock of its witness.
  witnessed_at timestamptz,
  -- Whether each witness that was asked has signed it.
  by_all boolean not null default false,
  made_at timestamptz not null default app.now()
);
create index checkpoint_by_size on public_log.checkpoint (origin, size, id);
-- The largest size under any name of the log.
create index checkpoint_by_size_of_all on public_log.checkpoint (size);
create index checkpoint_witnessed on public_log.checkpoint (size, id) where witnessed_at is not null;
create index checkpoint_by_all on public_log.checkpoint (size, id) where by_all;

-- All witnesses that were ever asked: what one has signed stays proved when another takes its place.
create table public_log.witness (
  -- As in the setting WITNESSES: name, id and public key.
  key text primary key,
  asked_at timestamptz not null default app.now()
);
