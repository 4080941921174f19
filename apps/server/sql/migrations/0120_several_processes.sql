-- What several processes on one database have in common, beside the truth itself.

-- The demo's mail, which is read instead of being sent.
create table app.captured_mail (
  number bigint generated always as identity primary key,
  mail_id text not null unique,
  captured_at timestamptz not null default app.now(),
  to_address text not null,
  subject text not null,
  body text not null
);
comment on table app.captured_mail is 'The latest mails of a demo, which has no mail server.';

-- What the watcher saw in blocks that may still be replaced: for showing alone, so it is not written to the
-- log of the database and may be lost with it.
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
comment on table deposits.seen_transfer is 'Transfers to addresses of members that are in a block and not credited yet.';

-- How often one network called, where it comes near a limit. Lost with a crash of the database: then each
-- process goes by its own count.
create unlogged table app.call_count (
  counter bytea primary key,
  ends_at timestamptz not null,
  calls integer not null
);
create index call_count_by_end on app.call_count (ends_at);
comment on table app.call_count is 'Calls of one network to one limit, of all processes together, until the window ends.';
