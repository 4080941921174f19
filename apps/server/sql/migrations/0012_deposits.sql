-- Deposits by USDT: an address for each member, what arrived there, and how far the chain was read.
-- Deposits by bank: recorded by one member of staff and confirmed by another. And the daily comparison
-- of chain and ledger.

create schema deposits;

create table deposits.address (
  player_id integer primary key references accounts.player,
  derivation_index integer not null unique generated always as identity (start with 0 minvalue 0),
  -- Filled in the transaction that takes the index.
  address text unique
);

-- One row: the last block that was wholly done.
create table deposits.watcher_place (
  chain text primary key,
  block bigint not null check (block >= 0),
  moved_at timestamptz not null default app.now()
);

create table deposits.transfer (
  tx_id text not null,
  log_index integer not null,
  block bigint not null,
  block_at timestamptz not null,
  from_address text not null,
  to_address text not null,
  amount bigint not null check (amount > 0),
  -- The member whose address it is; null: unmatched, kept for staff.
  player_id integer references accounts.player,
  credited_at timestamptz,
  primary key (tx_id, log_index)
);
create index transfer_of_player on deposits.transfer (player_id, block desc);

-- The operator's account that players send to; absent where there is none.
create table deposits.bank_account (
  singleton boolean primary key default true check (singleton),
  bank_name text not null,
  holder text not null,
  number text not null
);

create table deposits.bank_deposit (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  amount bigint not null check (amount > 0),
  -- The bank's own reference: one deposit for each that is not refused, however two people type its
  -- blanks and letters.
  bank_reference text not null,
  reference_key text not null generated always as (upper(regexp_replace(bank_reference, '\s', '', 'g'))) stored,
  recorded_by integer not null references staff.member,
  recorded_at timestamptz not null default app.now(),
  state text not null default 'recorded' check (state in ('recorded', 'confirmed', 'refused')),
  decided_by integer references staff.member,
  decided_at timestamptz,
  refuse_reason text,
  constraint two_people check (decided_by is distinct from recorded_by or decided_by is null or state = 'refused'),
  check ((state = 'recorded') = (decided_by is null)),
  check ((state = 'recorded') = (decided_at is null)),
  check ((state = 'refused') = (refuse_reason is not null))
);
create unique index bank_reference_once on deposits.bank_deposit (reference_key) where state <> 'refused';
create index bank_deposit_by_state on deposits.bank_deposit (state, id desc);

-- Addresses under the operator's account key that no member had when they were noted: indices that
-- come next, and indices that were taken by transactions which came to nothing. What arrives there
-- is kept for staff. A row stays when its index is given to a member.
create table deposits.spare_address (
  -- Which account key: its BIP-32 identifier, in hexadecimal.
  account text not null,
  derivation_index integer not null,
  address text not null unique,
  primary key (account, derivation_index)
);
create index transfer_unmatched on deposits.transfer (block desc, log_index desc) where player_id is null;
create index transfer_by_block on deposits.transfer (block);

-- How far the daily comparison has come. Blocks up to begun_after were never watched.
create table deposits.rescan_place (
  chain text primary key,
  begun_after bigint not null,
  block bigint not null,
  moved_at timestamptz not null default app.now(),
  check (block >= begun_after and begun_after >= 0)
);

-- What the daily comparison of chain and ledger found.
create table deposits.chain_difference (
  id bigint generated always as identity primary key,
  found_at timestamptz not null default app.now(),
  kind text not null check (kind in ('missing_in_ledger', 'missing_on_chain', 'amount_differs', 'unmatched')),
  tx_id text not null,
  log_index integer not null,
  details jsonb not null,
  constraint reported_once unique (kind, tx_id, log_index)
);

-- What became of a transfer that reached nobody: one person proposes whose it is and another confirms,
-- which credits it; or one dismisses it.
create table deposits.assignment (
  id bigint generated always as identity primary key,
  tx_id text not null,
  log_index integer not null,
  -- Null: it is nobody's, and was dismissed.
  player_id integer references accounts.player,
  note text not null,
  proposed_by integer not null references staff.member,
  proposed_at timestamptz not null,
  state text not null check (state in ('proposed', 'confirmed', 'refused')),
  decided_by integer references staff.member,
  decided_at timestamptz,
  -- Why a proposal was refused, or a dismissal taken back.
  refuse_reason text,
  foreign key (tx_id, log_index) references deposits.transfer,
  constraint assigned_by_two check (state <> 'confirmed' or player_id is null or decided_by <> proposed_by),
  check ((state = 'proposed') = (decided_by is null)),
  check ((state = 'proposed') = (decided_at is null)),
  check ((state = 'refused') = (refuse_reason is not null)),
  check (state <> 'proposed' or player_id is not null)
);

-- One outcome for each transfer.
create unique index one_assignment on deposits.assignment (tx_id, log_index) where state <> 'refused';
