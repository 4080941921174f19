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

-- A closed account stays: its bets and postings name it.
create or replace trigger player_never_deleted before delete or update of id on accounts.player
  for each row execute function app.refuse_change();

create or replace trigger player_never_truncated before truncate on accounts.player
  for each statement execute function app.refuse_change();

-- The players with this number, or with this name in any case; there may be two, because a name may be all digits.
create or replace function accounts.players_called(typed text) returns integer[]
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select array(select id from accounts.player
    where id = app.number_in(typed) or username_key = lower(typed collate "C"));
end;

-- What each part of the product may do.
grant usage on schema accounts to sum28_api, sum28_jobs;
grant select on accounts.counter, accounts.document, accounts.email_code, accounts.freezing, accounts.house_picture,
  accounts.known_network, accounts.passkey, accounts.player, accounts.remembered_device, accounts.security_code, accounts.session,
  accounts.uploaded_picture to sum28_api, sum28_jobs;
grant insert, update on accounts.counter, accounts.document, accounts.email_code, accounts.known_network,
  accounts.remembered_device, accounts.security_code, accounts.session, accounts.uploaded_picture to sum28_api;
grant delete on accounts.counter, accounts.uploaded_picture to sum28_api;
grant delete, insert, select, update on accounts.challenge to sum28_api;
grant delete, insert, update (sign_count, used_at, cloned_at) on accounts.passkey to sum28_api;
grant insert, update (avatar, password_hash) on accounts.player to sum28_api;
grant execute on function accounts.note_sensitive_change, accounts.players_called, accounts.wait_after to sum28_api;
grant execute on function accounts.is_person to sum28_api, sum28_jobs;

-- Old rows are locked before they are deleted, and that needs the right to update a column.
grant delete, update (last_at) on accounts.counter, accounts.known_network to sum28_jobs;
grant delete, update (created_at) on accounts.email_code to sum28_jobs;
grant delete, update (expires_at) on accounts.remembered_device to sum28_jobs;
grant delete, update (seen_at) on accounts.session to sum28_jobs;
grant update (encrypted_number, key_id) on accounts.document to sum28_jobs;
