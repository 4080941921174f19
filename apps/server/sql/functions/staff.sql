-- The operator's people, their sessions, and the audit log of everything they do.

select app.refuse('update or delete', 'staff.audit', 'staff.audit_signature', 'staff.shift_note');
select app.refuse('truncate', 'staff.audit', 'staff.audit_signature');

-- The hash of a row and of all before it. Rows of commands on the machine and of failed sign-ins have no session.
create or replace function staff.audit_hash(id bigint, at timestamptz, staff_id integer, action text, subject text,
  details jsonb, previous_hash bytea, session_id bigint) returns bytea
language sql immutable
return sha256(previous_hash || convert_to((
  jsonb_build_array(id, extract(epoch from at)::text, staff_id, action, subject, details)
    || case when session_id is null then jsonb_build_array() else jsonb_build_array(session_id) end)::text, 'UTF8'));

-- Writes a row of the audit log; no other function does. Without a session: commands on the machine, and failed
-- sign-ins. Returns the row's number.
create or replace function staff.write_audit(staff_id integer, session_id bigint, action text, subject text, details jsonb)
returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  head staff.audit_head;
  moment timestamptz;
begin
  -- One transaction writes at a time; the next waits until it ends.
  select * into head from staff.audit_head for update;
  moment := app.now();
  insert into staff.audit (id, at, staff_id, session_id, action, subject, details, previous_hash, hash)
  values (head.id + 1, moment, staff_id, session_id, action, subject, details, head.hash,
    staff.audit_hash(head.id + 1, moment, staff_id, action, subject, details, head.hash, session_id))
  returning audit.id, audit.hash into head.id, head.hash;
  update staff.audit_head set id = head.id, hash = head.hash;
  return head.id;
end
$$;

-- The member whose session has this token, if the session is live and his role is one of these; else it
-- raises STAFF with the reason. It takes the token, which is stored nowhere, and not its hash, which can be
-- read in the table. Until the transaction ends nobody can change the member's role or close his account.
create or replace function staff.acting(session_token text, variadic roles text[]) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  hash constant bytea := sha256(convert_to(session_token, 'UTF8'));
  who staff.member;
  held staff.session;
begin
  -- The member is locked before his sessions are read, in the order in which an account is closed.
  select * into who from staff.member
  where id = (select staff_id from staff.session where token_hash = hash) for share;
  select * into held from staff.session where token_hash = hash;
  if held.id is null or held.ended_by = 'logout' then
    raise exception 'session_unknown' using errcode = 'STAFF';
  elsif held.ended_at is not null or not who.active then
    raise exception 'session_replaced' using errcode = 'STAFF';
  elsif held.seen_at < app.now() - interval '15 minutes' or held.created_at < app.now() - interval '12 hours' then
    raise exception 'session_expired' using errcode = 'STAFF';
  elsif who.role <> all (roles) then
    raise exception 'forbidden' using errcode = 'STAFF';
  end if;
  return who.id;
end
$$;

-- The same for what changes the member himself: of two at once the second waits here, and not each for the other's share.
create or replace function staff.acting_alone(session_token text, variadic roles text[]) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from staff.member
  where id = (select staff_id from staff.session where token_hash = sha256(convert_to(session_token, 'UTF8')))
  for no key update;
  return staff.acting(session_token, variadic roles);
end
$$;

-- Logs an action of a member of staff in his session, whatever his role.
create or replace function staff.audit_action(by_session text, action text, subject text, details jsonb) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  return staff.write_audit(
    staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor'),
    (select session.id from staff.session where token_hash = sha256(convert_to(by_session, 'UTF8'))),
    action, subject, details);
end
$$;

-- Begins a session for a member who has signed in, and logs it: there is no session without its row.
create or replace function staff.begin_session(of_token_hash bytea, of_staff integer, address text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  begun bigint;
begin
  insert into staff.session (token_hash, staff_id, address) values (of_token_hash, of_staff, address)
  returning id into begun;
  perform staff.write_audit(of_staff, begun, 'signed_in', 'staff:' || of_staff,
    jsonb_build_object('address', address));
end
$$;

-- Ends a session and logs it; false if it had ended before.
create or replace function staff.end_session(of_token_hash bytea, address text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended staff.session;
begin
  update staff.session set ended_at = app.now(), ended_by = 'logout'
  where token_hash = of_token_hash and ended_at is null returning * into ended;
  if ended.id is null then return false; end if;
  perform staff.write_audit(ended.staff_id, ended.id, 'signed_out', 'staff:' || ended.staff_id,
    jsonb_build_object('address', address));
  return true;
end
$$;

-- Logs a failed sign-in, if there is a member of that name: one row a minute for each name.
create or replace function staff.audit_failed_sign_in(of_name text, address text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tried constant integer := (select id from staff.member where name = of_name);
begin
  -- One of several at once writes the row, and the others see it.
  perform from staff.member where id = tried for no key update;
  if tried is null or app.now() < (
    select at + interval '1 minute' from staff.audit
    where staff_id = tried and action = 'sign_in_failed' order by id desc limit 1) then return; end if;
  perform staff.write_audit(tried, null, 'sign_in_failed', 'staff:' || tried, jsonb_build_object('address', address));
end
$$;

-- Stores the signature of a row, if the row's hash is still the signed one; false if it is not, or if the row has a
-- signature with that key.
create or replace function staff.sign_audit(of_row bigint, of_hash bytea, with_mac bytea, with_key text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into staff.audit_signature (audit_id, mac, key_id)
  select id, with_mac, with_key from staff.audit where id = of_row and hash = of_hash
  on conflict do nothing;
  return found;
end
$$;

-- Makes a member of staff, who enrols at his first sign-in unless his secret is given now. Returns his id, or null if
-- the name is taken.
create or replace function staff.make_member(name text, role text, password_hash text, encrypted_totp_secret bytea,
  totp_key_id text, made_by text, enrolled boolean) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  made integer;
begin
  insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id, enrolled_at)
  values (name, role, password_hash, encrypted_totp_secret, totp_key_id, case when enrolled then app.now() end)
  on conflict on constraint staff_name_taken do nothing returning id into made;
  if made is not null then
    perform staff.write_audit(null, null, 'staff_made', 'staff:' || made,
      jsonb_build_object('name', name, 'role', role, 'by', made_by));
  end if;
  return made;
end
$$;

-- Gives new credentials, and another role unless that is null; ends every session, voids the recovery codes, and
-- opens a closed account. Returns the role, or null if there is no member of that name.
create or replace function staff.reset_member(of_name text, new_role text, new_password_hash text,
  new_encrypted_totp_secret bytea, new_totp_key_id text, reset_by text, enrolled boolean) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  reset staff.member;
begin
  update staff.member set role = coalesce(new_role, role), password_hash = new_password_hash,
    encrypted_totp_secret = new_encrypted_totp_secret, totp_key_id = new_totp_key_id, totp_time_step = 0, code_tries = 0, active = true, closed_at = null, password_ends_at = null,
    enrolled_at = case when enrolled then app.now() end
  where name = of_name returning * into reset;
  if reset.id is null then return null; end if;
  delete from staff.recovery_code where staff_id = reset.id;
  update staff.session set ended_at = app.now(), ended_by = 'reset'
  where staff_id = reset.id and ended_at is null;
  perform staff.write_audit(null, null, 'staff_reset', 'staff:' || reset.id,
    jsonb_build_object('name', reset.name, 'role', reset.role, 'by', reset_by));
  return reset.role;
end
$$;

-- Closes an account and ends its sessions. Returns whether there is a member of that name.
create or replace function staff.close_member(of_name text, closed_by text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  closed staff.member;
begin
  update staff.member set active = false, closed_at = coalesce(closed_at, app.now()) where name = of_name
  returning * into closed;
  if closed.id is null then return false; end if;
  update staff.session set ended_at = app.now(), ended_by = 'inactive'
  where staff_id = closed.id and ended_at is null;
  perform staff.write_audit(null, null, 'staff_closed', 'staff:' || closed.id,
    jsonb_build_object('name', closed.name, 'by', closed_by));
  return true;
end
$$;

-- Gives a member who has not enrolled yet another TOTP secret, so that an earlier one that another person may have
-- seen is void. False if he has enrolled, or the password that was checked is no longer his.
create or replace function staff.begin_enrolment(of_staff integer, checked_hash text, new_encrypted_totp_secret bytea,
  new_totp_key_id text, address text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update staff.member set encrypted_totp_secret = new_encrypted_totp_secret, totp_key_id = new_totp_key_id
  where id = of_staff and password_hash = checked_hash and enrolled_at is null and active
    and (password_ends_at is null or password_ends_at > app.now());
  if not found then return false; end if;
  perform staff.write_audit(of_staff, null, 'enrolment_begun', 'staff:' || of_staff,
    jsonb_build_object('address', address));
  return true;
end
$$;

-- Enrols a member whose code was right for this secret: from now on he signs in with his own password and a code.
-- False if another secret was made meanwhile, or he has enrolled.
create or replace function staff.confirm_enrolment(of_staff integer, checked_hash text, checked_secret bytea,
  step bigint, new_password_hash text, code_hashes bytea[], address text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update staff.member set enrolled_at = app.now(), password_hash = new_password_hash, password_ends_at = null,
    totp_time_step = step
  where id = of_staff and password_hash = checked_hash and encrypted_totp_secret = checked_secret
    and enrolled_at is null and active and (password_ends_at is null or password_ends_at > app.now());
  if not found then return false; end if;
  insert into staff.recovery_code (code_hash, staff_id) select unnest(code_hashes), of_staff;
  perform staff.write_audit(of_staff, null, 'enrolled', 'staff:' || of_staff, jsonb_build_object('address', address));
  return true;
end
$$;

-- Marks a recovery code as used. False if there is no such code, or it was used. Without a member it returns false.
create or replace function staff.use_recovery_code(of_staff integer, checked_hash text, of_code_hash bytea,
  address text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update staff.recovery_code set used_at = app.now()
  where code_hash = of_code_hash and staff_id = of_staff and used_at is null
    and exists (select from staff.member
      where id = of_staff and password_hash = checked_hash and enrolled_at is not null and active);
  if not found then return false; end if;
  perform staff.write_audit(of_staff, null, 'recovery_code_used', 'staff:' || of_staff,
    jsonb_build_object('address', address));
  return true;
end
$$;

-- Replaces the caller's earlier recovery codes with new ones, after a proof. Answers 'renewed' or proof_required.
create or replace function staff.renew_recovery_codes(code_hashes bytea[], by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting_alone(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
begin
  if not staff.use_proof(by_session) then return 'proof_required'; end if;
  delete from staff.recovery_code where staff_id = by_staff;
  insert into staff.recovery_code (code_hash, staff_id) select unnest(code_hashes), by_staff;
  perform staff.audit_action(by_session, 'recovery_codes_renewed', 'staff:' || by_staff, '{}');
  return 'renewed';
end
$$;

-- Ends a session of the caller's own. Answers 'closed' or not_found.
create or replace function staff.end_own_session(of_session bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
begin
  update staff.session set ended_at = app.now(), ended_by = 'logout'
  where id = of_session and staff_id = by_staff and ended_at is null;
  if not found then return 'not_found'; end if;
  perform staff.audit_action(by_session, 'session_ended', 'staff:' || by_staff,
    jsonb_build_object('session', of_session));
  return 'closed';
end
$$;

-- Raises proof_required unless the session's member has proved within so many minutes that it is him.
create or replace function staff.require_confirmation(by_session text, minutes integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
  if not exists (select from staff.session where token_hash = sha256(convert_to(by_session, 'UTF8'))
    and confirmed_at >= app.now() - make_interval(mins => minutes)) then
    raise exception 'proof_required' using errcode = 'STAFF';
  end if;
end
$$;

-- Notes that the session's member has just proved that it is him.
create or replace function staff.note_confirmation(by_session text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
  update staff.session set confirmed_at = app.now(), proved_at = app.now()
  where token_hash = sha256(convert_to(by_session, 'UTF8'));
end
$$;

-- Notes the use of a passkey whose answer was right. A count that did not grow, as that of a copy would not, closes the
-- passkey; many authenticators always count 0. Answers 'used', passkey_cloned, or passkey_unknown (it was removed
-- meanwhile, or the account is closed).
create or replace function staff.use_passkey(of_passkey integer, new_count bigint, address text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  owned staff.passkey;
  facts jsonb;
begin
  perform from staff.member where active and id = (select staff_id from staff.passkey where id = of_passkey) for share;
  if not found then return 'passkey_unknown'; end if;
  select * into owned from staff.passkey where id = of_passkey for no key update;
  if owned.id is null then return 'passkey_unknown'; end if;
  if owned.cloned_at is not null then return 'passkey_cloned'; end if;
  facts := jsonb_build_object('name', owned.name, 'address', address);
  if new_count > owned.sign_count or (new_count = 0 and owned.sign_count = 0) then
    update staff.passkey set sign_count = new_count, used_at = app.now() where id = of_passkey;
    perform staff.write_audit(owned.staff_id, null, 'passkey_used', 'staff:' || owned.staff_id, facts);
    return 'used';
  end if;
  update staff.passkey set cloned_at = app.now() where id = of_passkey;
  perform staff.write_audit(owned.staff_id, null, 'passkey_cloned', 'staff:' || owned.staff_id, facts);
  return 'passkey_cloned';
end
$$;

-- Adds a passkey to the caller's own account. The proof was asked for when its challenge was made, which lasts five
-- minutes. Answers 'added', passkeys_full or passkey_refused (it belongs to an account already).
create or replace function staff.add_passkey(of_credential bytea, of_key bytea, of_handle bytea, of_count bigint,
  of_transports text[], of_name text, greatest_number integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
begin
  perform staff.require_confirmation(by_session, 10);
  perform from staff.session where token_hash = sha256(convert_to(by_session, 'UTF8')) for no key update;
  if (select count(*) from staff.passkey where staff_id = by_staff) >= greatest_number then return 'passkeys_full'; end if;
  insert into staff.passkey (staff_id, credential_id, public_key, user_handle, sign_count, transports, name)
  values (by_staff, of_credential, of_key, of_handle, of_count, of_transports, of_name) on conflict do nothing;
  if not found then return 'passkey_refused'; end if;
  perform staff.audit_action(by_session, 'passkey_added', 'staff:' || by_staff, jsonb_build_object('name', of_name));
  return 'added';
end
$$;

-- Removes a passkey of the caller's own, after a proof. Answers 'removed', passkey_unknown, or passkey_needed if without
-- it he could not sign in.
create or replace function staff.remove_passkey(of_passkey integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
  removed text;
begin
  perform staff.require_confirmation(by_session, 5);
  -- One at a time: two that are removed at once could be the last two.
  perform from staff.passkey where staff_id = by_staff order by id for update;
  select name into removed from staff.passkey where id = of_passkey and staff_id = by_staff;
  if removed is null then return 'passkey_unknown'; end if;
  if not exists (select from staff.passkey where staff_id = by_staff and id <> of_passkey and cloned_at is null)
    and exists (select from staff.member where id = by_staff
      and (password_hash = '' or role in (select role from staff.passkey_role))) then
    return 'passkey_needed';
  end if;
  delete from staff.passkey where id = of_passkey;
  perform staff.audit_action(by_session, 'passkey_removed', 'staff:' || by_staff, jsonb_build_object('name', removed));
  return 'removed';
end
$$;

-- Requires a passkey of a role, or no longer. Answers 'set', or passkey_needed: an owner who has none would shut himself
-- out, and with him perhaps all who could change it back.
create or replace function staff.require_passkey(of_role text, required boolean, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
begin
  if required and of_role = 'owner'
    and not exists (select from staff.passkey where staff_id = by_staff and cloned_at is null) then
    return 'passkey_needed';
  end if;
  if required then
    insert into staff.passkey_role (role) values (of_role) on conflict do nothing;
  else
    delete from staff.passkey_role where role = of_role;
  end if;
  if found then
    perform staff.audit_action(by_session, case when required then 'passkey_required' else 'passkey_not_required' end,
      'role:' || of_role, '{}');
  end if;
  return 'set';
end
$$;

-- Enrols a member with a passkey in place of password and code: his first password is void. False if he has enrolled, or
-- the password that was checked is no longer his, or the passkey belongs to another account.
create or replace function staff.enrol_by_passkey(of_staff integer, checked_hash text, of_credential bytea, of_key bytea,
  of_handle bytea, of_count bigint, of_transports text[], of_name text, address text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from staff.passkey where credential_id = of_credential) then return false; end if;
  update staff.member set enrolled_at = app.now(), password_hash = ''
  where id = of_staff and password_hash = checked_hash and enrolled_at is null and active;
  if not found then return false; end if;
  insert into staff.passkey (staff_id, credential_id, public_key, user_handle, sign_count, transports, name)
  values (of_staff, of_credential, of_key, of_handle, of_count, of_transports, of_name);
  perform staff.write_audit(of_staff, null, 'enrolled', 'staff:' || of_staff,
    jsonb_build_object('address', address, 'passkey', of_name));
  return true;
end
$$;

-- Who gets new credentials loses his passkeys.
create or replace function staff.void_passkeys() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from staff.passkey where staff_id = new.id;
  return null;
end
$$;

create or replace trigger passkeys_voided after update of enrolled_at on staff.member
  for each row when (new.enrolled_at is distinct from old.enrolled_at) execute function staff.void_passkeys();

-- Ends a live session of a colleague. Answers 'closed', not_found or same_person.
create or replace function staff.end_colleague_session(of_session bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  of_staff constant integer := (select staff_id from staff.session where id = of_session);
begin
  if of_staff = by_staff then return 'same_person'; end if;
  update staff.session set ended_at = app.now(), ended_by = 'colleague' where id = of_session and ended_at is null;
  if not found then return 'not_found'; end if;
  perform staff.audit_action(by_session, 'session_ended', 'staff:' || of_staff,
    jsonb_build_object('session', of_session));
  return 'closed';
end
$$;

-- Gives a colleague a first password that is mailed to him: it is good for three days. His sessions end and his
-- recovery codes are void. Answers 'reset', not_found, same_person, already_closed or email_missing.
create or replace function staff.reset_colleague(of_name text, new_password_hash text, new_encrypted_totp_secret bytea,
  new_totp_key_id text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  colleague staff.member;
begin
  select * into colleague from staff.member where name = of_name for no key update;
  if colleague.id is null then return 'not_found'; end if;
  if colleague.id = by_staff then return 'same_person'; end if;
  if not colleague.active then return 'already_closed'; end if;
  if colleague.email is null then return 'email_missing'; end if;
  update staff.member set password_hash = new_password_hash, encrypted_totp_secret = new_encrypted_totp_secret,
    totp_key_id = new_totp_key_id, totp_time_step = 0, code_tries = 0, enrolled_at = null,
    password_ends_at = app.now() + interval '3 days'
  where id = colleague.id;
  delete from staff.recovery_code where staff_id = colleague.id;
  update staff.session set ended_at = app.now(), ended_by = 'reset'
  where staff_id = colleague.id and ended_at is null;
  perform staff.audit_action(by_session, case when colleague.password_hash = '' and colleague.enrolled_at is null then 'staff_invited' else 'staff_reset' end,
    'staff:' || colleague.id, jsonb_build_object('name', of_name, 'email', colleague.email));
  return 'reset';
end
$$;

-- Gives the caller another password, which ends his other sessions, or another address; null leaves either as it is.
-- He has proved by password and code that it is he, which is used up; else it answers forbidden.
create or replace function staff.change_own(new_password_hash text, new_email text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting_alone(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
  before constant text := (select email from staff.member where id = by_staff);
begin
  if not staff.use_proof(by_session) then return 'proof_required'; end if;
  update staff.member set password_hash = coalesce(new_password_hash, password_hash), email = coalesce(new_email, email)
  where id = by_staff;
  if new_password_hash is not null then
    update staff.session set ended_at = app.now(), ended_by = 'reset'
    where staff_id = by_staff and ended_at is null and token_hash <> sha256(convert_to(by_session, 'UTF8'));
    perform staff.audit_action(by_session, 'own_password_changed', 'staff:' || by_staff, '{}');
  end if;
  if new_email is not null then
    perform staff.audit_action(by_session, 'own_email_changed', 'staff:' || by_staff,
      jsonb_build_object('before', before, 'after', new_email));
  end if;
  return 'saved';
end
$$;

-- Notes that the member of this session has just proved by password and code that it is he. False if he may not.
create or replace function staff.note_proof(of_token_hash bytea, checked_hash text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update staff.session set proved_at = app.now() where token_hash = of_token_hash and ended_at is null
    and exists (select from staff.member where id = staff_id and password_hash = checked_hash and active);
  return found;
end
$$;

-- Uses up such a proof, which is good for a minute and for one thing. Returns whether there was one.
create or replace function staff.use_proof(session_token text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(session_token, 'owner', 'finance', 'support', 'editor', 'auditor');
  update staff.session set proved_at = null
  where token_hash = sha256(convert_to(session_token, 'UTF8')) and proved_at > app.now() - interval '1 minute';
  return found;
end
$$;

-- Whether a house has this owner alone. Another one counts once he has signed in; after his account was closed for
-- seven days more, so that closing the other's account leaves nobody to decide alone at once.
create or replace function staff.is_only_owner(of_staff integer) returns boolean
language sql stable
begin atomic
  select exists (select from staff.member where id = of_staff and role = 'owner') and not exists (
    select from staff.member other
    where role = 'owner' and id <> of_staff and coalesce(closed_at > app.now() - interval '7 days', true)
      and exists (select from staff.session where staff_id = other.id));
end;

-- Locks a member, and says why he may not be added or changed as proposed: the content's 'before' is what he was, null
-- for a new one. Nobody changes his own role, and one owner stays.
create or replace function staff.judge_member(proposal staff.proposal, by_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  present staff.member;
  before constant jsonb := nullif(proposal.content -> 'before', 'null');
begin
  if by_role <> 'owner' then return 'forbidden'; end if;
  select * into present from staff.member where name = proposal.content ->> 'name' for no key update;
  if (present.id is null) <> (before is null) or present.id is not null
    and before <> jsonb_build_object('role', present.role, 'email', present.email, 'active', present.active)
  then
    return 'content_changed';
  end if;
  if proposal.content ->> 'role' is distinct from present.role and present.id = proposal.proposed_by then
    return 'same_person';
  end if;
  if present.role = 'owner' and proposal.content ->> 'role' <> 'owner' and not exists (
    select from staff.member where role = 'owner' and active and enrolled_at is not null and id <> present.id)
  then
    return 'forbidden';
  end if;
  return null;
end
$$;

-- Adds or changes a member as proposed. A new one, and one whose account was closed, needs a first password.
create or replace function staff.put_member(proposal staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into staff.member as member (name, role, email, password_hash, encrypted_totp_secret, totp_key_id)
  values (proposal.content ->> 'name', proposal.content ->> 'role', proposal.content ->> 'email', '', '', '')
  on conflict on constraint staff_name_taken do update set role = excluded.role, email = excluded.email,
    active = true, closed_at = null,
    password_hash = case when member.active then member.password_hash else '' end,
    enrolled_at = case when member.active then member.enrolled_at end;
end;

-- Checks the rows after the last checked one, that one's own hash, and the log's end. Returns the first row that was
-- changed or removed, or null; and the number and hash of the last row, from which the next check continues.
create or replace function staff.audit_check(after_id bigint, after_hash bytea)
returns table (broken_id bigint, last_id bigint, last_hash bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with unchecked as (
    select audit.*, after_id + row_number() over chain as due,
      coalesce(lag(hash) over chain, after_hash) as expected_previous
    from staff.audit where id > after_id
    window chain as (order by id)
  ), last as (
    select id, hash from staff.audit
    union all
    select 0, sha256('')
    order by id desc limit 1
  )
  select least(
      (select min(due) from unchecked
       where id <> due or previous_hash is distinct from expected_previous
         or hash <> staff.audit_hash(id, at, staff_id, action, subject, details, previous_hash, session_id)),
      case when after_id > 0
        and not exists (select from staff.audit checked where checked.id = after_id and checked.hash = after_hash)
        then after_id end,
      case
        when last.id <> head.id then least(last.id, head.id) + 1
        when last.hash <> head.hash then head.id
      end),
    last.id, last.hash
  from last, staff.audit_head head;
end;

-- Checks the whole log. Answers the first row that was changed or removed, or null.
create or replace function staff.audit_break() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select broken_id from staff.audit_check(0, sha256('')));

-- Closes a colleague's account and ends his sessions. Answers 'closed', not_found, same_person or
-- already_closed. Where two members close each other at once, only one succeeds: the other's session has ended.
create or replace function staff.close_colleague(of_name text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff integer;
  colleague staff.member;
begin
  select staff_id into by_staff from staff.session where token_hash = sha256(convert_to(by_session, 'UTF8'));
  -- Both rows are locked in the order of their ids, against a deadlock.
  perform from staff.member where name = of_name or id = by_staff order by id for no key update;
  perform staff.acting(by_session, 'owner');
  select * into colleague from staff.member where name = of_name;
  if colleague.id is null then return 'not_found'; end if;
  if colleague.id = by_staff then return 'same_person'; end if;
  if not colleague.active then return 'already_closed'; end if;
  update staff.member set active = false, closed_at = app.now() where id = colleague.id;
  update staff.session set ended_at = app.now(), ended_by = 'inactive'
  where staff_id = colleague.id and ended_at is null;
  perform staff.audit_action(by_session, 'staff_closed', 'staff:' || colleague.id,
    jsonb_build_object('name', colleague.name));
  return 'closed';
end
$$;

-- Freezes a person's account: his sessions and remembered devices end. It waits for running bets. Answers 'frozen',
-- not_found, already_frozen or account_closed.
create or replace function staff.freeze_player(of_player integer, why text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
  was text;
begin
  -- The locks that bets and withdrawals take, in the same order.
  perform from ledger.balance where holder_id = of_player for no key update;
  select state into was from accounts.player
  where player.id = of_player and accounts.is_person(player) for no key update;
  if was is null then return 'not_found'; end if;
  if was = 'frozen' then return 'already_frozen'; end if;
  if was = 'closed' then return 'account_closed'; end if;
  update accounts.player set state = 'frozen' where player.id = of_player;
  update accounts.session set ended_at = app.now(), ended_by = 'frozen'
  where player_id = of_player and ended_at is null;
  update accounts.remembered_device set ended_at = app.now()
  where player_id = of_player and ended_at is null;
  insert into accounts.freezing (player_id, reason, frozen_by, frozen_at)
  values (of_player, why, by_staff, app.now());
  return 'frozen';
end
$$;

-- Ends a freeze. Answers 'active', not_found or not_frozen.
create or replace function staff.unfreeze_player(of_player integer, why text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  was text;
begin
  select state into was from accounts.player
  where player.id = of_player and accounts.is_person(player) for no key update;
  if was is null then return 'not_found'; end if;
  if was <> 'frozen' then return 'not_frozen'; end if;
  update accounts.player set state = 'active' where player.id = of_player;
  update accounts.freezing set lifted_by = by_staff, lifted_at = app.now(), lift_reason = why
  where player_id = of_player and lifted_at is null;
  return 'active';
end
$$;

-- Writes a note for the next shift. Returns its number.
create or replace function staff.write_shift_note(note text, by_session text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
  made integer;
begin
  insert into staff.shift_note (written_by, text) values (by_staff, note) returning id into made;
  perform staff.audit_action(by_session, 'shift_note_written', 'shift_note:' || made, '{}');
  return made;
end
$$;

-- Chooses the kinds of alerts that are mailed to the caller.
create or replace function staff.choose_alerts(chosen text[], by_session text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting_alone(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
begin
  update staff.member set alerts = chosen where id = by_staff;
  perform staff.audit_action(by_session, 'alerts_chosen', 'staff:' || by_staff, jsonb_build_object('after', chosen));
end
$$;

-- Adds a receiver of alerts. Answers its number, or null if there are five.
create or replace function staff.add_webhook(url text, kinds text[], salt bytea, key_id text, by_session text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  made integer;
begin
  lock table staff.webhook in share row exclusive mode;
  if (select count(*) from staff.webhook where ended_at is null) >= 5 then return null; end if;
  insert into staff.webhook (url, kinds, salt, key_id, made_by) values (url, kinds, salt, key_id, by_staff)
  returning id into made;
  perform staff.audit_action(by_session, 'webhook_added', 'webhook:' || made,
    jsonb_build_object('url', url, 'kinds', kinds));
  return made;
end
$$;

-- Removes a receiver of alerts; what is on its way to it is dropped. Answers 'closed' or not_found.
create or replace function staff.remove_webhook(of_webhook integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
begin
  update staff.webhook set ended_at = app.now() where id = of_webhook and ended_at is null;
  if not found then return 'not_found'; end if;
  delete from staff.alert_delivery where webhook_id = of_webhook and sent_at is null;
  perform staff.audit_action(by_session, 'webhook_removed', 'webhook:' || of_webhook, '{}');
  return 'closed';
end
$$;

-- What each part of the product may do.
grant usage on schema staff to sum28_api, sum28_jobs;
grant select on staff.alert_delivery, staff.audit, staff.audit_signature, staff.webhook to sum28_api, sum28_jobs;
grant select on staff.shift_note to sum28_api;
grant execute on function staff.audit_check to sum28_api, sum28_jobs;
grant select on staff.member, staff.passkey, staff.passkey_role, staff.recovery_code, staff.session to sum28_api;
grant update (totp_time_step, code_tries, code_tried_at) on staff.member to sum28_api;
grant update (seen_at) on staff.session to sum28_api;
grant execute on function staff.add_webhook, staff.audit_action, staff.audit_failed_sign_in, staff.begin_enrolment,
  staff.begin_session, staff.change_own, staff.choose_alerts, staff.close_colleague, staff.close_member,
  staff.confirm_enrolment, staff.end_colleague_session, staff.end_own_session, staff.end_session, staff.freeze_player,
  staff.is_only_owner, staff.make_member, staff.note_proof, staff.remove_webhook, staff.renew_recovery_codes,
  staff.reset_colleague, staff.reset_member, staff.unfreeze_player, staff.use_recovery_code, staff.write_shift_note to
  sum28_api;
grant execute on function staff.add_passkey, staff.enrol_by_passkey, staff.note_confirmation, staff.remove_passkey,
  staff.require_passkey, staff.require_confirmation, staff.use_passkey to sum28_api;
grant delete, insert, select, update on staff.alert, staff.alert_delivery to sum28_jobs;
grant update (ended_at, failed_since, failure) on staff.webhook to sum28_jobs;
grant select (id, name, role, email, alerts, active, enrolled_at, created_at, code_tries, code_tried_at, encrypted_totp_secret, totp_key_id) on staff.member to
  sum28_jobs;
grant update (encrypted_totp_secret, totp_key_id) on staff.member to sum28_jobs;
grant execute on function staff.audit_break, staff.sign_audit to sum28_jobs;
