-- Messages to a player inside the app. The text is made when it is read, in the reader's language.

create table inbox.message (
  player_id integer not null references accounts.player,
  id bigint generated always as identity,
  -- Names the text in the catalogs.
  kind text not null,
  facts jsonb not null default '{}',
  created_at timestamptz not null default app.now(),
  read_at timestamptz,
  primary key (player_id, id)
);
create index message_unread on inbox.message (player_id) where read_at is null;
create index message_by_age on inbox.message (created_at);

-- What players want to be told of on their devices.
create table inbox.push_choice (
  player_id integer primary key references accounts.player,
  topics text[] not null check (topics <@ '{deposit,withdrawal,sign_in,support}'::text[]),
  -- Whether the amount is told, which a locked screen shows too.
  amounts boolean not null default false
);

-- Browsers that take messages while the app is closed (Push API).
create table inbox.push_subscription (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  -- Where the browser's push service takes messages for this browser alone.
  endpoint text not null unique check (length(endpoint) <= 1000),
  -- The browser's key and secret, by which messages to it are encrypted (RFC 8291).
  p256dh text not null,
  auth text not null,
  -- Where its player was signed in. It ends with that session, or with the sessions of that remembered device.
  session_hash bytea not null,
  device_family uuid,
  -- An hour after its push service did not answer, if it has not answered since.
  silent_until timestamptz,
  created_at timestamptz not null default app.now()
);
create index push_subscription_of_player on inbox.push_subscription (player_id, id);

-- The one key by which push services know the sender (VAPID, RFC 8292), made at the first start.
create table inbox.push_key (
  id integer primary key default 1 check (id = 1),
  public_key text not null,
  encrypted_private_key bytea not null,
  key_id text not null
);
