-- What staff write down about a player. And sessions of players that staff have ended.

create table console_players.note (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  text text not null check (text <> '' and length(text) <= 500),
  written_by integer not null references staff.member,
  written_at timestamptz not null
);
create index note_of_player on console_players.note (player_id, id);
comment on table console_players.note is
  'What staff have written down about a player, for each other. Rows are added and never changed.';

alter table accounts.session
  drop constraint session_ended_by_check,
  add constraint session_ended_by_check
    check (ended_by in ('logout', 'password', 'frozen', 'replayed', 'staff'));
