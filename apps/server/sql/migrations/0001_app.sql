-- The role that the application works under, and what every schema leans on.
--
-- The owner role runs these migrations and owns everything. A process logs in as a member of sum28_api, sum28_engine or
-- sum28_jobs, each of which is granted only what that part of the product needs; what all three need is granted to
-- sum28_application. Money, draws and the journal are reached through functions that belong to the owner. Functions,
-- triggers, views and grants stand in ../functions.

do $$
declare
  made text;
begin
  foreach made in array array['sum28_application nologin',
    'sum28_api nologin in role sum28_application',
    'sum28_engine nologin in role sum28_application',
    'sum28_jobs nologin in role sum28_application']
  loop
    begin
      execute 'create role ' || made;
    exception when duplicate_object or unique_violation then
      null; -- roles belong to the whole cluster: another database has made it
    end;
  end loop;
end
$$;

-- Mails that the mail server has taken: a job that is repeated does not send them again. And mails that were given up.
create table app.sent_mail (
  mail_id text primary key,
  -- Of one that was given up: when it was queued.
  sent_at timestamptz not null default app.now(),
  -- The mail server has not taken it in time.
  given_up boolean not null default false,
  -- Since it refused the address, which somebody may have mistyped.
  of_address boolean not null default false
);
create index sent_mail_by_age on app.sent_mail (sent_at);

-- What all processes must be given alike, although no function reads it: as the last ROLE=migrate or all had it.
create table app.setting (
  name text primary key,
  value text
);

-- One row: up to when the daily check found the books right.
create table app.books_checked (
  only_one boolean primary key default true check (only_one),
  through timestamptz not null,
  -- Since when a check finds them wrong.
  wrong_since timestamptz,
  -- Of a check of all of history that has not ended: what it is done for, and up to which day all was right.
  whole_order text,
  whole_through date
);

insert into app.books_checked (through) values ('-infinity');

-- When each regular job was last added to the queue.
create table app.regular_job (
  name text primary key,
  -- The time at which it was to begin, by the database's own clock.
  begun_at timestamptz not null
);

-- The keys of requests that act once, with what the reply is made from.
create table app.request_key (
  -- `player:` or `staff:` and an id; or `stranger:` and a keyed hash of the account that the call names.
  owner text not null,
  key text not null check (length(key) between 1 and 255),
  route text not null,
  input_hash bytea not null,
  -- Null while the request is carried out.
  result jsonb,
  created_at timestamptz not null default app.now(),
  primary key (owner, key)
) with (fillfactor = 50);
create index request_key_by_age on app.request_key (created_at);

-- The latest mails of a demo, which has no mail server.
create table app.captured_mail (
  number bigint generated always as identity primary key,
  mail_id text not null unique,
  captured_at timestamptz not null default app.now(),
  to_address text not null,
  subject text not null,
  body text not null
);

-- One row: the newest block of a demo's own chain, and when it was made. It has none yet.
create table app.local_chain (
  only_one boolean primary key default true check (only_one),
  height bigint not null,
  made_at timestamptz not null
);

insert into app.local_chain (height, made_at) values (0, 'epoch');

-- The transactions of that chain, also of its next block, as a node tells them.
create table app.local_transaction (
  number bigint generated always as identity primary key,
  tx_id text not null unique,
  block bigint not null,
  info jsonb not null
);
create index local_transaction_by_block on app.local_transaction (block);

-- Calls of one network to one limit, or of one player, of all processes together, until the window ends.
create unlogged table app.call_count (
  counter bytea primary key,
  ends_at timestamptz not null,
  calls integer not null
);
create index call_count_by_end on app.call_count (ends_at);
