-- Passkeys of staff, and the roles that need one.

-- Notes the use of a passkey whose answer was right. A count that did not grow, as that of a copy would not, closes the
-- passkey; many authenticators always count 0. Answers 'used', passkey_cloned, passkey_refused (the count is lower, but
-- the challenge is from before the last use: it came late), or passkey_unknown (it was removed meanwhile, or the account
-- is closed).
create or replace function staff.use_passkey(of_passkey integer, new_count bigint, challenged_at timestamptz,
  address text) returns text
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
  if new_count < owned.sign_count and challenged_at < owned.used_at then return 'passkey_refused'; end if;
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

-- Requires a passkey of a role, or after a proof, which is used up, no longer. Answers 'set', proof_required, or
-- passkey_needed: an owner who has none would shut himself out, and with him perhaps all who could change it back.
create or replace function staff.require_passkey(of_role text, required boolean, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
begin
  if required is not true and not staff.use_proof(by_session) then return 'proof_required'; end if;
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
-- the password that was checked is no longer his or good, or the passkey belongs to another account.
create or replace function staff.enrol_by_passkey(of_staff integer, checked_hash text, of_credential bytea, of_key bytea,
  of_handle bytea, of_count bigint, of_transports text[], of_name text, address text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from staff.passkey where credential_id = of_credential) then return false; end if;
  update staff.member set enrolled_at = app.now(), password_hash = '', password_ends_at = null
  where id = of_staff and password_hash = checked_hash and enrolled_at is null and active
    and (password_ends_at is null or password_ends_at > app.now());
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

grant execute on function staff.add_passkey, staff.enrol_by_passkey, staff.remove_passkey, staff.require_passkey,
  staff.use_passkey to sum28_api;
