-- The console's area players: search, one player's page, and what staff do about him.

create or replace trigger note_never_changes before update or delete on console_players.note
  for each row execute function app.refuse_change();

create or replace trigger note_never_truncated before truncate on console_players.note
  for each statement execute function app.refuse_change();

-- Writes a note about a person. Answers 'set' or not_found.
create or replace function console_players.add_note(of_player integer, note text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
begin
  if not exists (select from accounts.player where id = of_player and kind = 'person') then return 'not_found'; end if;
  insert into console_players.note (player_id, text, written_by, written_at)
  values (of_player, note, by_staff, app.now());
  return 'set';
end
$$;

-- Ends all sessions of a person, and his devices sign in by themselves no more. Answers 'closed' or not_found.
create or replace function console_players.end_sessions(of_player integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support');
  -- A sign-in that is under way waits, or was before.
  perform from accounts.player where id = of_player and kind = 'person' for no key update;
  if not found then return 'not_found'; end if;
  update accounts.session set ended_at = app.now(), ended_by = 'staff'
  where player_id = of_player and ended_at is null;
  update accounts.remembered_device set ended_at = app.now()
  where player_id = of_player and ended_at is null and used_at is null;
  return 'closed';
end
$$;

-- What the application may do.
grant usage on schema console_players to sum28_application;
grant select on console_players.note to sum28_application;
grant execute on function console_players.add_note, console_players.end_sessions to sum28_application;
