-- All ways in which a player's session ends: two earlier lists of them each lacked one.
alter table accounts.session
  drop constraint session_ended_by_check,
  add constraint session_ended_by_check
    check (ended_by in ('logout', 'password', 'frozen', 'replayed', 'staff', 'closed'));
