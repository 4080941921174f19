-- What a player asks of his own account: a file with his data, and its end.

-- One row: how long a closed account keeps who its player is. The owner writes it at each start.
create table own_account.terms (
  only_one boolean primary key default true constraint terms_only_one_check check (only_one),
  -- How long a closed account keeps who its player is.
  closed_kept interval not null check (closed_kept >= interval '1 day')
);

insert into own_account.terms values (true, '1826 days');

-- Files with all data of a player that he asked for; kept for some days.
create table own_account.data_file (
  id bigint primary key generated always as identity,
  -- At most one: another is asked for when this one is gone.
  player_id integer not null constraint one_data_file unique references accounts.player (id),
  requested_at timestamptz not null default app.now(),
  ready_at timestamptz,
  bytes bigint check (bytes > 0),
  check ((ready_at is null) = (bytes is null))
);
create index data_file_by_age on own_account.data_file (requested_at);

-- The content of these files, in pieces, encrypted.
create table own_account.data_part (
  file_id bigint not null references own_account.data_file (id) on delete cascade,
  position integer not null,
  encrypted_content bytea not null,
  key_id text not null,
  id integer not null unique generated always as identity,
  primary key (file_id, position)
);
-- Compressed already.
alter table own_account.data_part alter encrypted_content set storage external;
