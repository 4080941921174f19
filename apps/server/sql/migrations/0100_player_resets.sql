-- What staff do for a player whose password or security code is lost, or known to somebody else.

alter table accounts.player add column password_required_at timestamptz;
comment on column accounts.player.password_required_at is
  'Since when he cannot sign in until he has set a new password by mail; null: he can.';

create table console_players.code_reset (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  reason text not null check (reason <> '' and length(reason) <= 500),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'ended')),
  proposed_by integer not null references staff.member,
  proposed_at timestamptz not null,
  decided_by integer references staff.member,
  decided_at timestamptz,
  end_reason text check (end_reason <> '' and length(end_reason) <= 500),
  constraint decision_is_whole check (
    (state = 'proposed') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint reset_takes_two check (state <> 'confirmed' or decided_by <> proposed_by),
  constraint ended_with_reason check ((state = 'ended') = (end_reason is not null))
);
comment on table console_players.code_reset is
  'Proposals of staff to delete a player''s security code, and what another person decided.';
create unique index one_code_reset_at_a_time on console_players.code_reset (player_id) where state = 'proposed';
create index code_reset_by_state on console_players.code_reset (state, id);
create index code_reset_of_player on console_players.code_reset (player_id, id);
