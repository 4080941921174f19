-- The operator's people, their sessions, and the audit log of everything they do.

create schema staff;

create table staff.member (
  id integer generated always as identity primary key,
  name text not null check (name ~ '^[a-z][a-z0-9_.-]{1,31}$'),
  role text not null check (role in ('owner', 'finance', 'support', 'editor', 'auditor')),
  password_hash text not null,
  -- Encrypted under a key that is not in the database.
  sealed_totp_secret bytea not null,
  totp_key_id text not null,
  -- The last time step whose code was taken: a code is good once.
  totp_step_used bigint not null default 0,
  active boolean not null default true,
  created_at timestamptz not null default app.now(),
  constraint staff_name_taken unique (name)
);

create table staff.session (
  token_hash bytea primary key,
  staff_id integer not null references staff.member,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'reset', 'inactive')),
  check ((ended_at is null) = (ended_by is null))
);
create index session_of_staff on staff.session (staff_id) where ended_at is null;

-- How often a name was tried from a network, whether or not somebody has that name. Names are kept
-- as hashes: people type a password into the wrong field.
create table staff.sign_in_tries (
  name_hash bytea not null,
  network text not null,
  tries integer not null default 1,
  since timestamptz not null default app.now(),
  primary key (name_hash, network)
);
create index sign_in_tries_by_age on staff.sign_in_tries (since);

-- Append-only; each row's hash covers the row before it, so that a row that is altered, taken out
-- or put elsewhere is found.
create table staff.audit (
  id bigint primary key,
  at timestamptz not null,
  staff_id integer references staff.member,
  action text not null,
  subject text not null,
  details jsonb not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);

-- Where the log ends, so that rows taken off its end are missed too.
create table staff.audit_head (
  only_one boolean primary key default true check (only_one),
  id bigint not null,
  hash bytea not null
);

insert into staff.audit_head (id, hash) values (0, sha256(''));
