-- Accounts that their players have closed. Some time later nothing in them tells who the player was.

alter table accounts.player
  add column closed_at timestamptz,
  add column anonymised_at timestamptz,
  drop constraint player_state_check,
  add constraint player_state_check check (state in ('active', 'frozen', 'closed')),
  add constraint closed_at_a_time check ((state = 'closed') = (closed_at is not null)),
  add constraint anonymised_when_closed check (anonymised_at is null or state = 'closed'),
  add constraint anonymised_tells_nothing
    check (anonymised_at is null or (email is null and password_hash is null)),
  drop constraint members_have_email,
  add constraint members_have_email check (
    group_id <> 1 or kind = 'robot' or email is not null or anonymised_at is not null);
comment on column accounts.player.anonymised_at is
  'Since when nothing in a closed account tells who its player was.';
create index player_closed on accounts.player (closed_at) where state = 'closed' and anonymised_at is null;

alter table accounts.session
  drop constraint session_ended_by_check,
  add constraint session_ended_by_check
    check (ended_by in ('logout', 'password', 'frozen', 'replayed', 'closed'));
