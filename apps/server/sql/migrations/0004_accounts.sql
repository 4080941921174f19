-- People: players, their sessions, codes, pictures and freezes, and counts of what is done too often.

create schema accounts;

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
  -- When a player last changed what a thief would change; withdrawals are held for a while after it.
  sensitive_changed_at timestamptz,
  constraint username_taken unique (username_key),
  constraint email_taken unique (email_key),
  constraint members_have_email check (group_id <> 1 or kind = 'robot' or email is not null)
);
create index player_frozen on accounts.player (id) where state = 'frozen';
create index player_by_inviter on accounts.player (inviter_id, id desc) where inviter_id is not null;

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

create table accounts.security_code (
  player_id integer primary key references accounts.player,
  code_hash text not null,
  changed_at timestamptz not null default app.now(),
  -- Wrong tries since the last right one; the fifth locks withdrawals for a day.
  tries smallint not null default 0,
  locked_until timestamptz
);

-- The number of an identity document that the player gave, encrypted.
create table accounts.document (
  player_id integer primary key references accounts.player,
  sealed_number bytea not null,
  shown_number text not null,
  key_id text not null,
  changed_at timestamptz not null default app.now()
);

-- The pictures that players uploaded: the file's name, and whose it is.
create table accounts.uploaded_picture (
  player_id integer not null references accounts.player,
  name text not null unique check (name ~ '^[0-9a-f]{32}\.webp$'),
  created_at timestamptz not null default app.now(),
  primary key (player_id, name)
);

-- How often something was done that must not be done too often. Keys are keyed hashes: people type a
-- password into the wrong field, and nobody's address needs to be kept.
create table accounts.counter (
  key bytea primary key,
  tries integer not null default 1,
  since timestamptz not null default app.now(),
  last_at timestamptz not null default app.now()
);
create index counter_by_age on accounts.counter (last_at);

-- From which networks a player has signed in.
create table accounts.known_network (
  player_id integer not null references accounts.player,
  network_hash bytea not null,
  last_at timestamptz not null default app.now(),
  primary key (player_id, network_hash)
);
create index known_network_by_age on accounts.known_network (last_at);

-- When and why an account was frozen, and by whom; and how that ended.
create table accounts.freezing (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  reason text not null,
  frozen_by integer not null references staff.member,
  frozen_at timestamptz not null,
  lifted_by integer references staff.member,
  lifted_at timestamptz,
  lift_reason text,
  check ((lifted_at is null) = (lifted_by is null)),
  check ((lifted_at is null) = (lift_reason is null))
);
create unique index one_freeze_at_a_time on accounts.freezing (player_id) where lifted_at is null;
