-- Messages to a player inside the app. The text is made when it is read, in the reader's language.

create schema inbox;

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
comment on table inbox.message is
  'Messages to players inside the app, without their text: it is made when it is read.';
create index message_unread on inbox.message (player_id) where read_at is null;
create index message_by_age on inbox.message (created_at);
