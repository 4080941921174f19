-- People: players, their sessions and their mailed codes.

-- Whether an account is a person's. The others are the operator's robots: no figure about players counts them.
create or replace function accounts.is_person(player accounts.player) returns boolean
language sql immutable
return player.kind = 'person';

-- The wait after so many tries, of which some are free: one second, doubled with each further try.
create or replace function accounts.wait_after(tries integer, free integer, wait_max integer) returns interval
language sql immutable
return case when tries < free then interval '0'
  else make_interval(secs => least(2 ^ least(tries - free, 30), wait_max)) end;

-- Records that a player makes a change now that a thief would make; the hold of withdrawals is counted from it. The
-- application can only set this time to now, never to an earlier time.
create or replace function accounts.note_sensitive_change(of_player integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update accounts.player set sensitive_changed_at = app.now() where id = of_player;
end;

-- A new password fulfils staff's demand for one: the demand is deleted.
create or replace function accounts.fulfil_password() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.password_required_at := null;
  return new;
end
$$;

create or replace trigger password_fulfilled before update of password_hash on accounts.player
  for each row when (new.password_hash is distinct from old.password_hash)
  execute function accounts.fulfil_password();

-- The players with this number, or with this name in any case; there may be two, because a name may be all digits.
create or replace function accounts.players_called(typed text) returns integer[]
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select array(select id from accounts.player
    where id = app.number_in(typed) or username_key = lower(typed collate "C"));
end;

-- What the application may do.
grant usage on schema accounts to sum28_application;
grant delete, insert, select, update on accounts.counter, accounts.known_network,
  accounts.uploaded_picture to sum28_application;
grant insert, select on accounts.player to sum28_application;
grant delete on accounts.email_code, accounts.remembered_device, accounts.session to sum28_application;
grant insert, select, update on accounts.document, accounts.email_code, accounts.remembered_device,
  accounts.security_code, accounts.session to sum28_application;
grant select on accounts.freezing, accounts.house_picture to sum28_application;
grant update (avatar, password_hash) on accounts.player to sum28_application;
grant execute on function accounts.is_person, accounts.note_sensitive_change, accounts.players_called,
  accounts.wait_after to sum28_application;
