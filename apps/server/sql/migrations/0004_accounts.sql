-- People: players, their sessions, codes, pictures and freezes, and counts of what is done too often.

-- An e-mail address in the one form of canonicalEmail(): a dot-string before the @, a domain of ASCII
-- labels after it, all in lower case.
create domain accounts.canonical_email as text collate "C" check (
  octet_length(value) <= 254 and position('@' in value) <= 65
  and value ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
    || '@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$'));

create table accounts.player (
  id integer generated always as identity (start with 100001) primary key,
  username text not null,
  username_key text not null generated always as (lower(username collate "C")) stored,
  email text,
  email_key accounts.canonical_email,
  -- The address that staff propose in place of one whose mailbox is lost, until another person confirms or refuses it.
  asked_email accounts.canonical_email,
  password_hash text,
  -- Since when he cannot sign in until he has set a new password by mail; null: he can.
  password_required_at timestamptz,
  -- 1 member: proved an e-mail address. 2 visitor.
  group_id smallint not null check (group_id in (1, 2)),
  kind text not null default 'person' check (kind in ('person', 'robot')),
  state text not null default 'active' check (state in ('active', 'frozen', 'closed')),
  closed_at timestamptz,
  -- Since when nothing in a closed account tells who its player was.
  anonymised_at timestamptz,
  avatar text not null default 'preset:1',
  lang text not null default 'en',
  inviter_id integer references accounts.player,
  created_at timestamptz not null default app.now(),
  -- When the player last changed what a thief would change; withdrawals are held for a while after it.
  sensitive_changed_at timestamptz,
  constraint username_taken unique (username_key),
  constraint username_is_ascii check (username collate "C" ~ '^[A-Za-z0-9_]{3,32}$'),
  constraint email_taken unique (email_key),
  constraint email_has_its_key check ((email is null) = (email_key is null)),
  constraint closed_at_a_time check ((state = 'closed') = (closed_at is not null)),
  constraint anonymised_when_closed check (anonymised_at is null or state = 'closed'),
  constraint anonymised_tells_nothing
    check (anonymised_at is null or (email is null and asked_email is null and password_hash is null)),
  constraint members_have_email check (
    group_id <> 1 or kind = 'robot' or email is not null or anonymised_at is not null)
);
create index player_frozen on accounts.player (id) where state = 'frozen';
create index player_visitors on accounts.player (id) where group_id = 2;
-- Closed visitors are the most, and stay.
create index player_active_visitors on accounts.player (id) where group_id = 2 and state = 'active';
create index player_by_inviter on accounts.player (inviter_id, id desc) where inviter_id is not null;
create index player_closed on accounts.player (closed_at) where state = 'closed' and anonymised_at is null;
create index player_by_begin on accounts.player (created_at, id) where kind = 'person';
-- Names by their first letters, under any collation of the database.
create index player_by_name_begin on accounts.player (username_key text_pattern_ops) where kind = 'person';
create index player_not_active on accounts.player (state, created_at, id) where state <> 'active';
create index player_not_active_by_name on accounts.player (state, username_key, id) where state <> 'active';
-- Addresses by their first letters, under any collation of the database.
create index player_by_email_begin on accounts.player ((email_key::text) text_pattern_ops) where kind = 'person';
-- Names and addresses by any part of them. A registration writes to it at once, so that no search reads a list of what waits.
create index player_by_part on accounts.player using gin (app.parts_of(username_key || ' ' || coalesce(email_key, '')))
  with (fastupdate = off) where kind = 'person';

create table accounts.session (
  token_hash bytea primary key,
  id bigint generated always as identity,
  player_id integer not null references accounts.player,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  -- Payouts minus stakes of all settled bets when the session began, in micro-units.
  net_at_start bigint not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'password', 'frozen', 'replayed', 'staff', 'closed')),
  device_family uuid,
  -- When its player last proved that it is him, by his password or a passkey.
  proved_at timestamptz,
  -- When his password or a passkey began it; null: a remembered device did.
  signed_in_at timestamptz,
  -- Browser and system, by the names that its program gave itself.
  device text not null default '',
  -- Where it was begun: an IPv4 address, or a /64 of IPv6.
  network text not null default '',
  -- Of the cookie by which its device is known.
  device_hash bytea,
  check ((ended_at is null) = (ended_by is null))
);
create index session_of_player on accounts.session (player_id) where ended_at is null;
create index session_of_family on accounts.session (device_family)
  where device_family is not null and ended_at is null;
create index session_by_age on accounts.session (seen_at);
create index session_of_player_by_begin on accounts.session (player_id, created_at);

-- A device that signs in without a password, by the hash of its secret.
create table accounts.remembered_device (
  secret_hash bytea primary key,
  player_id integer not null references accounts.player,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz,
  family uuid not null default gen_random_uuid(),
  -- The hash of the idempotency key of the call that used the secret: the same call may come again.
  used_key bytea
);
create index remembered_device_of_player on accounts.remembered_device (player_id, created_at);
create index remembered_device_of_family on accounts.remembered_device (family);
create index remembered_device_by_age on accounts.remembered_device (expires_at);

create table accounts.email_code (
  id bigint generated always as identity primary key,
  email_key accounts.canonical_email not null,
  event text not null check (event in ('register', 'resetpwd', 'old_email', 'new_email')),
  code_hash bytea not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- A keyed hash.
  asked_from bytea,
  -- Codes that a player got on the allowance of a network from which he has signed in: they do not count for others.
  on_allowance boolean not null default false
);
create index email_code_by_address on accounts.email_code (email_key, event, id desc);
create index email_code_by_age on accounts.email_code (created_at);

-- The code that a withdrawal needs.
create table accounts.security_code (
  player_id integer primary key references accounts.player,
  code_hash text not null,
  changed_at timestamptz not null default app.now(),
  -- Wrong tries since the last right one; the fifth locks withdrawals for a day.
  tries smallint not null default 0,
  locked_until timestamptz
);

create table accounts.passkey (
  id integer generated always as identity primary key,
  player_id integer not null references accounts.player,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- A COSE key.
  public_key bytea not null,
  -- What the authenticator keeps as the account's id: the same in all passkeys of a player, and nobody else's.
  user_handle bytea not null check (octet_length(user_handle) = 32),
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  name text not null check (name <> '' and length(name) <= 40),
  created_at timestamptz not null default app.now(),
  used_at timestamptz,
  -- When its count went back: it signs in no more.
  cloned_at timestamptz
);
create index passkey_of_player on accounts.passkey (player_id, id);

-- Challenges that an authenticator has to sign: each is good once, for some minutes.
create table accounts.challenge (
  -- A keyed hash of the challenge and of what it is for.
  hash bytea primary key check (octet_length(hash) = 32),
  made_at timestamptz not null default app.now()
);
create index challenge_by_age on accounts.challenge (made_at);

-- Players who are asked for a code or a passkey on a new device, and before they change what a thief would change.
create table accounts.second_factor (
  player_id integer primary key references accounts.player,
  on_since timestamptz not null default app.now(),
  -- Of his authenticator app; null: his passkeys are his second factor.
  encrypted_totp_secret bytea,
  totp_key_id text,
  -- Of the last code that he used: neither it nor an earlier one is taken again.
  totp_time_step bigint not null default 0,
  used_at timestamptz,
  check ((encrypted_totp_secret is null) = (totp_key_id is null))
);

-- Codes that stand in for a player's second factor, each once; only their hashes.
create table accounts.recovery_code (
  code_hash bytea primary key,
  player_id integer not null references accounts.player,
  made_at timestamptz not null default app.now(),
  used_at timestamptz
);
create index recovery_code_of_player on accounts.recovery_code (player_id);

-- Devices on which a player has signed in, by the cookie that each keeps.
create table accounts.known_device (
  player_id integer not null references accounts.player,
  -- Of the secret in its cookie.
  secret_hash bytea not null,
  first_at timestamptz not null default app.now(),
  last_at timestamptz not null default app.now(),
  primary key (player_id, secret_hash)
);
create index known_device_by_age on accounts.known_device (last_at);

-- Links in mails by which a player takes his account back: each is good once, for 72 hours.
create table accounts.security_link (
  token_hash bytea primary key,
  player_id integer not null references accounts.player,
  -- The address that a change has replaced; null: the link is about a sign-in.
  old_email text,
  made_at timestamptz not null default app.now(),
  used_at timestamptz
);
create index security_link_of_player on accounts.security_link (player_id);
create index security_link_by_age on accounts.security_link (made_at);
create index security_link_of_address on accounts.security_link (old_email) where old_email is not null;

create table accounts.document (
  player_id integer primary key references accounts.player,
  encrypted_number bytea not null,
  shown_number text not null,
  key_id text not null,
  changed_at timestamptz not null default app.now()
);

-- Pictures that players uploaded. The name is a hash of player and content, so that its content never changes.
create table accounts.uploaded_picture (
  player_id integer not null references accounts.player,
  name text not null unique check (name ~ '^[0-9a-f]{32}\.webp$'),
  content bytea not null,
  created_at timestamptz not null default app.now(),
  primary key (player_id, name)
);
-- Compressed already.
alter table accounts.uploaded_picture alter content set storage external;

-- How often something was done that is limited. Keys are keyed hashes: people type a password into the wrong field, and
-- nobody's address needs to be kept.
create table accounts.counter (
  key bytea primary key,
  tries integer not null default 1,
  since timestamptz not null default app.now(),
  last_at timestamptz not null default app.now()
);
create index counter_by_age on accounts.counter (last_at);

create table accounts.known_network (
  player_id integer not null references accounts.player,
  network_hash bytea not null,
  last_at timestamptz not null default app.now(),
  primary key (player_id, network_hash)
);
create index known_network_by_age on accounts.known_network (last_at);
create index known_network_by_hash on accounts.known_network (network_hash, player_id);

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
create index freezing_now on accounts.freezing (id) where lifted_at is null;

-- Pictures that editors uploaded, for banners, articles and other texts. The name is a hash of the content.
create table accounts.house_picture (
  name text primary key check (name ~ '^[0-9a-f]{32}\.webp$'),
  content bytea not null,
  created_at timestamptz not null default app.now(),
  -- When it was first found that nothing names it; null: something does, or nobody has looked yet.
  unused_since timestamptz
);
alter table accounts.house_picture alter content set storage external;

alter table staff.proposal add foreign key (player_id) references accounts.player;
