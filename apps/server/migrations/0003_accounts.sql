-- People: players, their sessions and their mailed codes.

create schema accounts;
grant usage on schema accounts to sum28_application;

create table accounts.player (
  id integer generated always as identity (start with 100001) primary key,
  username text not null check (username ~ '^[A-Za-z0-9_]{3,32}$'),
  username_key text not null generated always as (lower(username)) stored,
  email text,
  email_key text generated always as (lower(email)) stored,
  password_hash text,
  -- 1 member: proved an e-mail address. 2 visitor.
  group_id smallint not null check (group_id in (1, 2)),
  kind text not null default 'person' check (kind in ('person', 'robot')),
  state text not null default 'active' check (state in ('active', 'frozen')),
  avatar text not null default 'preset:1',
  lang text not null default 'en',
  inviter_id integer references accounts.player,
  created_at timestamptz not null default app.now(),
  constraint username_taken unique (username_key),
  constraint email_taken unique (email_key),
  constraint members_have_email check (group_id <> 1 or kind = 'robot' or email is not null)
);

create table accounts.session (
  token_hash bytea primary key,
  player_id integer not null references accounts.player,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  -- Payouts minus stakes of all settled bets when the session began, in micro-units.
  net_at_start bigint not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'password', 'frozen')),
  check ((ended_at is null) = (ended_by is null))
);
create index session_of_player on accounts.session (player_id) where ended_at is null;

create table accounts.remembered_device (
  secret_hash bytea primary key,
  player_id integer not null references accounts.player,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz
);
create index remembered_device_of_player on accounts.remembered_device (player_id);

create table accounts.email_code (
  id bigint generated always as identity primary key,
  email_key text not null,
  event text not null check (event in ('register', 'resetpwd')),
  code_hash bytea not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  tries smallint not null default 0,
  used_at timestamptz
);
create index email_code_by_address on accounts.email_code (email_key, event, id desc);

grant select, insert, update on accounts.player, accounts.session, accounts.remembered_device,
  accounts.email_code to sum28_application;
