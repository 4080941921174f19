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

-- Sets the first security code of a player, or replaces the one with the old hash, and holds his withdrawals from now on.
-- Locks the player first, as deleting the code does. Returns whether it is set: not if another change was first.
create or replace function accounts.put_code(of_player integer, new_hash text, old_hash text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform accounts.note_sensitive_change(of_player);
  if old_hash is null then
    insert into accounts.security_code (player_id, code_hash) values (of_player, new_hash) on conflict do nothing;
  else
    update accounts.security_code set code_hash = new_hash, changed_at = app.now()
    where player_id = of_player and code_hash = old_hash;
  end if;
  return found;
end
$$;

-- Signs a player out everywhere, and knows none of his devices any more.
create or replace function accounts.sign_out(of_player integer, by text) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  update accounts.session set ended_at = app.now(), ended_by = by
  where player_id = of_player and ended_at is null;
  update accounts.remembered_device set ended_at = app.now()
  where player_id = of_player and ended_at is null;
  delete from accounts.known_device where player_id = of_player;
end;

-- Uses up the codes of an account that were mailed to its address, which it leaves: they prove nothing about it any more.
create or replace function accounts.void_codes(of_player integer) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  update accounts.email_code set used_at = app.now()
  where email_key = (select email_key from accounts.player where id = of_player)
    and event in ('resetpwd', 'old_email') and used_at is null;
end;

-- Whether an account other than a given one has left an address that a mailed link can still give back to it. Until the
-- link is too old no other account gets the address: the link would do nothing.
create or replace function accounts.is_way_back(address text, besides integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from accounts.security_link link join accounts.player on player.id = link.player_id
  where link.old_email = address and link.player_id <> besides and link.used_at is null
    and link.made_at > app.now() - interval '72 hours' and player.state <> 'closed');

-- Gives a player another address, and keeps the present one for the way back. Answers 'changed' or email_taken.
create or replace function accounts.change_email(of_player integer, new_email text, way_back bytea) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into accounts.security_link (token_hash, player_id, old_email)
  select way_back, id, email from accounts.player where id = of_player;
  perform accounts.void_codes(of_player);
  update accounts.player set email = new_email, email_key = new_email, sensitive_changed_at = app.now()
  where id = of_player;
  -- Now: the update may have waited for the account that left the address.
  if accounts.is_way_back(new_email, of_player) then raise unique_violation; end if;
  return 'changed';
exception when unique_violation then
  return 'email_taken';
end
$$;

-- Uses the link of a mail, once: its player is signed out everywhere and needs a new password by mail, and his
-- withdrawals are held. If the link is about his address, he has the earlier one again, instead of left_email (null if it
-- is the same), and all later links are void. Answers 'taken_back', link_over, account_closed, account_locked while it is
-- frozen, or email_taken if the earlier address has another account now.
create or replace function accounts.take_back(by_link bytea) returns table (answer text, of_player integer,
  of_address boolean, left_email text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link accounts.security_link;
begin
  select * into link from accounts.security_link where token_hash = by_link;
  of_player := link.player_id;
  of_address := link.old_email is not null;
  answer := (select state from accounts.player where id = link.player_id for no key update);
  if answer = 'closed' then answer := 'account_closed'; return next; return; end if;
  -- Staff can so keep an account from a person who has its earlier mailbox, until the link is too old.
  if answer = 'frozen' then answer := 'account_locked'; return next; return; end if;
  update accounts.security_link set used_at = app.now()
  where token_hash = by_link and used_at is null and made_at > app.now() - interval '72 hours';
  if not found then answer := 'link_over'; return next; return; end if;
  if of_address then
    left_email := (select nullif(email, link.old_email) from accounts.player where id = link.player_id);
    perform accounts.void_codes(link.player_id);
    update accounts.player set email = link.old_email, email_key = link.old_email where id = link.player_id;
  end if;
  update accounts.player
  set password_required_at = coalesce(password_required_at, app.now()), sensitive_changed_at = app.now()
  where id = link.player_id;
  perform accounts.sign_out(link.player_id, 'password');
  if of_address then
    -- They may have gone to a person who had taken the account. An earlier one is nearer to its owner.
    update accounts.security_link set used_at = app.now()
    where player_id = link.player_id and used_at is null and made_at >= link.made_at;
  end if;
  answer := 'taken_back';
  return next;
exception when unique_violation then
  answer := 'email_taken';
  return next;
end
$$;

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

-- A closed account stays: its bets and postings name it. One is a person's or a robot's for ever.
select app.refuse('delete or update of id, kind', 'accounts.player');

-- The players with this number, or with this name in any case; there may be two, because a name may be all digits. The
-- collation of the comparison is that of the names' index.
create or replace function accounts.players_called(typed text) returns integer[]
language sql stable set search_path = pg_catalog, pg_temp
return array(select id from accounts.player
  where id = app.number_in(typed) or username_key = lower(typed collate "C") collate "default");

grant select on accounts.counter, accounts.document, accounts.email_code, accounts.freezing, accounts.house_picture,
  accounts.known_device, accounts.known_network, accounts.passkey, accounts.player, accounts.recovery_code,
  accounts.remembered_device, accounts.second_factor, accounts.security_link, accounts.session,
  accounts.uploaded_picture to sum28_api, sum28_jobs;
grant insert, update on accounts.counter, accounts.document, accounts.email_code, accounts.known_network,
  accounts.remembered_device, accounts.uploaded_picture to sum28_api;
-- Its kind, its state and all times are the database's.
grant insert (username, email, email_key, password_hash, group_id, inviter_id, lang),
  update (avatar, lang, password_hash) on accounts.player to sum28_api;
grant insert (token_hash, player_id, net_at_start, device, network, device_hash, signed_in_at),
  update (seen_at, proved_at, ended_at, ended_by, device_family) on accounts.session to sum28_api;
grant insert (token_hash, player_id) on accounts.security_link to sum28_api;
grant select, update (tries, locked_until) on accounts.security_code to sum28_api;
grant delete on accounts.counter, accounts.known_network, accounts.remembered_device, accounts.session,
  accounts.uploaded_picture to sum28_api;
grant delete, insert, select, update on accounts.challenge to sum28_api;
grant delete, insert, update (sign_count, used_at, cloned_at) on accounts.passkey to sum28_api;
grant delete, insert, update on accounts.second_factor to sum28_api;
grant delete, insert, update (used_at) on accounts.recovery_code to sum28_api;
grant delete, insert, update (last_at) on accounts.known_device to sum28_api;
-- Old rows are locked before they are deleted, and that needs the right to update a column.
grant delete, update (last_at) on accounts.counter, accounts.known_device, accounts.known_network to sum28_jobs;
grant delete, update (made_at) on accounts.security_link to sum28_jobs;
grant delete, update (created_at) on accounts.email_code to sum28_jobs;
grant delete, update (expires_at) on accounts.remembered_device to sum28_jobs;
grant delete, update (seen_at) on accounts.session to sum28_jobs;
grant update (encrypted_number, key_id) on accounts.document to sum28_jobs;
grant select (player_id, changed_at, tries, locked_until) on accounts.security_code to sum28_jobs;
grant update (encrypted_totp_secret, totp_key_id) on accounts.second_factor to sum28_jobs;
grant execute on function accounts.change_email, accounts.is_way_back, accounts.note_sensitive_change,
  accounts.players_called, accounts.put_code, accounts.take_back, accounts.wait_after to sum28_api;
grant execute on function accounts.is_person to sum28_api, sum28_jobs;
