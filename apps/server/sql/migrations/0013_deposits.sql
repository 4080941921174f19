-- Deposits by USDT: an address for each member, what arrived there, and how far the chain was read.
-- Deposits by bank: recorded by one member of staff and confirmed by another. And the daily comparison
-- of chain and ledger.

create table deposits.address (
  player_id integer primary key references accounts.player,
  -- Usual wallets show the first indices as their own accounts: what the house sends there is no deposit.
  derivation_index integer not null unique generated always as identity (minvalue 1000),
  -- Filled in the transaction that takes the index.
  address text unique,
  given_at timestamptz not null default app.now()
);

-- The last block that the deposit watcher has finished, and when; null: it has read none yet.
create table deposits.watcher_height (
  chain text primary key,
  block bigint check (block >= 0),
  moved_at timestamptz not null default app.now(),
  -- The newest block that was looked into, and the newest that cannot be replaced, for display.
  seen_block bigint,
  solid_block bigint
);

-- Transfers that arrived at an address of ours.
create table deposits.transfer (
  tx_id text not null,
  log_index integer not null,
  block bigint not null check (block between 1 and 2147483647),
  block_at timestamptz not null,
  from_address text not null,
  to_address text not null,
  amount bigint not null check (amount > 0),
  -- The member whose address it is; null: unmatched, kept for staff.
  player_id integer references accounts.player,
  credited_at timestamptz,
  -- The proposal by which it was assigned to him; null: it came to his own address, or is unmatched.
  assignment bigint references staff.proposal check (assignment is null or player_id is not null),
  primary key (tx_id, log_index)
);
create index transfer_of_player on deposits.transfer (player_id, block desc);
create index transfer_unmatched on deposits.transfer (block desc, log_index desc) where player_id is null;
create index transfer_by_block on deposits.transfer (block);
create index transfer_credited on deposits.transfer (credited_at) where credited_at is not null;
create index transfer_of_player_by_time on deposits.transfer (player_id, block_at) where player_id is not null;
create index transfer_unmatched_from on deposits.transfer (from_address) where player_id is null;
create index transfer_unmatched_to on deposits.transfer (to_address) where player_id is null;
create index transfer_by_time on deposits.transfer (block_at);
create index transfer_large on deposits.transfer (block_at) where amount >= 10000000000;

-- At most one row: the operator's account that players are shown.
create table deposits.bank_account (
  singleton boolean primary key default true check (singleton),
  bank_name text not null,
  holder text not null,
  number text not null
);

-- Banks give one reference to several transfers (a bulk payment, NOTPROVIDED, a payer's standing order), so it does not
-- name a transfer alone.
create unique index bank_transfer_once on staff.proposal
  ((upper(replace(normalize(content ->> 'reference', nfkc), ' ', ''))), coalesce(content ->> 'other_than', ''))
  where kind = 'bank_deposit' and state in ('proposed', 'confirmed');
-- Refused deposits too, which may share a reference.
create index bank_deposit_by_reference on staff.proposal ((upper(replace(normalize(content ->> 'reference', nfkc), ' ', ''))))
  where kind = 'bank_deposit';
create index bank_deposit_of_player on staff.proposal (player_id, proposed_at) where kind = 'bank_deposit';
create index bank_deposit_by_time on staff.proposal (proposed_at) where kind = 'bank_deposit';
create index bank_deposit_large on staff.proposal (proposed_at)
  where kind = 'bank_deposit' and (content ->> 'amount')::bigint >= 10000000000;
create index deposit_confirmed on staff.proposal (confirmed_at)
  where kind in ('bank_deposit', 'assignment') and state = 'confirmed';
create index deposit_taken_back on staff.proposal (((content ->> 'deposit')::bigint))
  where kind = 'debit' and content ? 'deposit';

-- Addresses under the operator's account key, derived by the jobs before a member has them: indices that come next,
-- and indices that were taken by transactions which came to nothing. What arrives there is kept for staff. A row stays
-- when its index is given to a member, and proves that his address is ours.
create table deposits.spare_address (
  -- Which account key: its BIP-32 identifier, in hexadecimal.
  account text not null,
  derivation_index integer not null,
  address text not null unique,
  primary key (account, derivation_index)
);

-- The house's addresses on the chain, each with a signed statement, as disclosure publishes them.
create table deposits.house_address (
  id integer generated always as identity primary key,
  address text not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  -- What the address's own key has signed, and the signature in hexadecimal.
  statement text not null check (length(statement) between 1 and 500),
  signature text not null check (signature ~ '^[0-9a-f]{130}$'),
  added_at timestamptz not null,
  removed_at timestamptz
);
create unique index address_listed_once on deposits.house_address (address) where removed_at is null;

-- The last block that the daily comparison has finished.
create table deposits.rescan_height (
  chain text primary key,
  begun_after bigint not null,
  block bigint not null,
  -- When the last comparison came to its end.
  finished_at timestamptz not null default app.now(),
  check (block >= begun_after and begun_after >= 0)
);

-- What the daily comparison of chain and ledger found.
create table deposits.chain_difference (
  id bigint generated always as identity primary key,
  found_at timestamptz not null default app.now(),
  kind text not null
    check (kind in ('missing_in_ledger', 'missing_on_chain', 'amount_differs', 'sent_later', 'unmatched')),
  tx_id text not null,
  log_index integer not null,
  details jsonb not null,
  -- Of a transfer that is not in the books: when both nodes answered last for its block, and did not both name it.
  absent_at timestamptz,
  constraint reported_once unique (kind, tx_id, log_index)
);
create index chain_difference_by_kind on deposits.chain_difference (kind, id);
create index chain_difference_by_transaction on deposits.chain_difference (tx_id);

-- Why a difference of chain and ledger needs nothing more, in the words of staff.
create table deposits.explanation (
  difference_id bigint primary key references deposits.chain_difference,
  reason text not null,
  explained_by integer not null references staff.member,
  explained_at timestamptz not null
);

-- Unmatched transfers that belong to no player. A row is deleted if it is taken back.
create table deposits.dismissal (
  tx_id text not null,
  log_index integer not null,
  reason text not null,
  dismissed_by integer not null references staff.member,
  dismissed_at timestamptz not null,
  primary key (tx_id, log_index),
  foreign key (tx_id, log_index) references deposits.transfer
);

-- Transfers to addresses of members that the watcher saw in blocks, and that are not credited yet: for showing alone, so
-- they are not written to the log of the database and may be lost with it.
create unlogged table deposits.seen_transfer (
  chain text not null,
  tx_id text not null,
  log_index integer not null,
  to_address text not null,
  amount bigint not null check (amount > 0),
  block bigint not null,
  -- Null where the node said none.
  block_at timestamptz,
  -- Whether its block is solidified, and cannot be replaced any more.
  solid boolean not null,
  primary key (chain, tx_id, log_index)
);
create index seen_transfer_by_address on deposits.seen_transfer (to_address);
