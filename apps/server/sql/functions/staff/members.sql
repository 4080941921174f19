-- The operator's people: their accounts, credentials and roles.

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
    jsonb_build_object('name', (select name from staff.member where id = of_staff), 'session', of_session));
  return 'closed';
end
$$;

-- Gives a colleague a first password that is mailed to him: it is good for three days. His sessions end and his
-- recovery codes are void. Answers 'reset', not_found, same_person, already_closed, email_missing or content_changed
-- (another address than the one seen, to which whoever changed it would get the mail).
create or replace function staff.reset_colleague(of_name text, seen_email text, new_password_hash text,
  new_encrypted_totp_secret bytea, new_totp_key_id text, by_session text) returns text
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
  if colleague.email is distinct from seen_email then return 'content_changed'; end if;
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

-- Whether another open account has an address: who reads the mails of two members is two persons.
create or replace function staff.is_address_of_another(address text, of_name text) returns boolean
language sql stable
return exists (select from staff.member where active and email = address and name <> of_name);

-- Gives the caller another password, which ends his other sessions, or another address; null leaves either as it is.
-- He has proved by password and code that it is he, which is used up; else it answers proof_required. Or email_taken.
create or replace function staff.change_own(new_password_hash text, new_email text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting_alone(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
  present constant staff.member := (select member from staff.member where id = by_staff);
begin
  if staff.is_address_of_another(new_email, present.name) then return 'email_taken'; end if;
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
      jsonb_build_object('before', present.email, 'after', new_email));
  end if;
  return 'saved';
end
$$;

-- Whether a house has this owner alone. Another one counts once he has signed in; after his account was closed for
-- seven days more, so that closing the other's account leaves nobody to decide alone at once.
create or replace function staff.is_only_owner(of_staff integer) returns boolean
language sql stable
return exists (select from staff.member where id = of_staff and role = 'owner') and not exists (
  select from staff.member other
  where role = 'owner' and id <> of_staff and coalesce(closed_at > app.now() - interval '7 days', true)
    and exists (select from staff.session where staff_id = other.id));

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
  if staff.is_address_of_another(proposal.content ->> 'email', proposal.content ->> 'name') then return 'email_taken'; end if;
  if present.role = 'owner' and proposal.content ->> 'role' is distinct from 'owner' then
    -- Of two owners who stop being owners at once the second sees the first.
    perform pg_advisory_xact_lock(hashtext('staff owners'));
    if not exists (
      select from staff.member where role = 'owner' and active and enrolled_at is not null and id <> present.id)
    then
      return 'forbidden';
    end if;
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

grant execute on function staff.begin_enrolment, staff.change_own, staff.close_colleague, staff.close_member,
  staff.confirm_enrolment, staff.end_colleague_session, staff.is_only_owner, staff.make_member,
  staff.renew_recovery_codes, staff.reset_colleague, staff.reset_member, staff.use_recovery_code to sum28_api;
