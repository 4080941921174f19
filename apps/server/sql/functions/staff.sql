-- The operator's people, their sessions, and the audit log of everything they do.

create or replace trigger audit_never_changes before update or delete on staff.audit
  for each row execute function app.refuse_change();

create or replace trigger audit_never_truncated before truncate on staff.audit
  for each statement execute function app.refuse_change();

create or replace function staff.audit_hash(id bigint, at timestamptz, staff_id integer, action text, subject text,
  details jsonb, previous_hash bytea) returns bytea
language sql immutable
return sha256(previous_hash || convert_to(
  jsonb_build_array(id, extract(epoch from at)::text, staff_id, action, subject, details)::text, 'UTF8'));

create or replace function staff.append_audit(staff_id integer, action text, subject text, details jsonb) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  head staff.audit_head;
  moment timestamptz;
begin
  -- One at a time, until the transaction of the first ends.
  select * into head from staff.audit_head for update;
  moment := app.now();
  insert into staff.audit (id, at, staff_id, action, subject, details, previous_hash, hash)
  values (head.id + 1, moment, staff_id, action, subject, details, head.hash,
    staff.audit_hash(head.id + 1, moment, staff_id, action, subject, details, head.hash))
  returning audit.id, audit.hash into head.id, head.hash;
  update staff.audit_head set id = head.id, hash = head.hash;
  return head.id;
end
$$;

-- Answers the member's id, or null when the name is taken.
create or replace function staff.make_member(name text, role text, password_hash text, sealed_totp_secret bytea,
  totp_key_id text, made_by text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  made integer;
begin
  insert into staff.member (name, role, password_hash, sealed_totp_secret, totp_key_id)
  values (name, role, password_hash, sealed_totp_secret, totp_key_id)
  on conflict on constraint staff_name_taken do nothing returning id into made;
  if made is not null then
    perform staff.append_audit(null, 'staff_made', 'staff:' || made,
      jsonb_build_object('name', name, 'role', role, 'by', made_by));
  end if;
  return made;
end
$$;

-- Gives new credentials, and another role unless that is null; ends every session, and opens a closed
-- account. Answers the role, or null when there is nobody of that name.
create or replace function staff.reset_member(of_name text, new_role text, new_password_hash text,
  new_sealed_totp_secret bytea, new_totp_key_id text, reset_by text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  reset staff.member;
begin
  update staff.member set role = coalesce(new_role, role), password_hash = new_password_hash,
    sealed_totp_secret = new_sealed_totp_secret, totp_key_id = new_totp_key_id, totp_step_used = 0, active = true
  where name = of_name returning * into reset;
  if reset.id is null then return null; end if;
  update staff.session set ended_at = app.now(), ended_by = 'reset'
  where staff_id = reset.id and ended_at is null;
  perform staff.append_audit(null, 'staff_reset', 'staff:' || reset.id,
    jsonb_build_object('name', reset.name, 'role', reset.role, 'by', reset_by));
  return reset.role;
end
$$;

-- Closes an account and ends its sessions. Answers whether there is somebody of that name.
create or replace function staff.close_member(of_name text, closed_by text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  closed staff.member;
begin
  update staff.member set active = false where name = of_name returning * into closed;
  if closed.id is null then return false; end if;
  update staff.session set ended_at = app.now(), ended_by = 'inactive'
  where staff_id = closed.id and ended_at is null;
  perform staff.append_audit(null, 'staff_closed', 'staff:' || closed.id,
    jsonb_build_object('name', closed.name, 'by', closed_by));
  return true;
end
$$;

-- Checks the rows after one that was checked before, that one's own hash, the rows that are shown,
-- and the log's end. Answers the first place that is not what was written, or none, and the last row
-- there is: what was checked up to now, for the next time.
create or replace function staff.audit_check(after_id bigint, after_hash bytea, first_shown bigint, last_shown bigint)
returns table (place bigint, last_id bigint, last_hash bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with looked_at as (
    select audit.*, after_id + row_number() over chain as due,
      coalesce(lag(hash) over chain, after_hash) as expected_previous
    from staff.audit where id > after_id
    window chain as (order by id)
    union all
    select audit.*, first_shown - 1 + row_number() over chain,
      coalesce(lag(hash) over chain,
        case first_shown when 1 then sha256('')
          else (select before.hash from staff.audit before where before.id = first_shown - 1) end)
    from staff.audit where id between first_shown and last_shown
    window chain as (order by id)
  ), last as (
    select id, hash from staff.audit
    union all
    select 0, sha256('')
    order by id desc limit 1
  )
  select least(
      (select min(due) from looked_at
       where id <> due or previous_hash is distinct from expected_previous
         or hash <> staff.audit_hash(id, at, staff_id, action, subject, details, previous_hash)),
      case when after_id > 0
        and not exists (select from staff.audit known where known.id = after_id and known.hash = after_hash)
        then after_id end,
      case
        when last.id <> head.id then least(last.id, head.id) + 1
        when last.hash <> head.hash then head.id
      end),
    last.id, last.hash
  from last, staff.audit_head head;
end;

-- Checks the whole log. Answers the first row that is not what was written, or null.
create or replace function staff.audit_break() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select place from staff.audit_check(0, sha256(''), null, null));

-- Closes a colleague's account and ends his sessions. Answers 'closed', not_found, same_person, already,
-- or caller_closed: of two who close each other at once only one does.
create or replace function staff.close_colleague(of_name text, by_staff integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  colleague staff.member;
begin
  perform from staff.member where name = of_name or id = by_staff order by id for no key update;
  if not exists (select from staff.member where id = by_staff and active) then return 'caller_closed'; end if;
  select * into colleague from staff.member where name = of_name;
  if colleague.id is null then return 'not_found'; end if;
  if colleague.id = by_staff then return 'same_person'; end if;
  if not colleague.active then return 'already'; end if;
  update staff.member set active = false where id = colleague.id;
  update staff.session set ended_at = app.now(), ended_by = 'inactive'
  where staff_id = colleague.id and ended_at is null;
  perform staff.append_audit(by_staff, 'staff_closed', 'staff:' || colleague.id,
    jsonb_build_object('name', colleague.name));
  return 'closed';
end
$$;

-- What the application may do.
revoke all on all tables in schema staff from sum28_application;
revoke execute on all functions in schema staff from public, sum28_application;
grant usage on schema staff to sum28_application;
grant delete, insert, select, update on staff.sign_in_tries to sum28_application;
grant insert, select on staff.session to sum28_application;
grant select on staff.audit, staff.member to sum28_application;
grant update (sealed_totp_secret, totp_key_id, totp_step_used) on staff.member to sum28_application;
grant update (ended_at, ended_by, seen_at) on staff.session to sum28_application;
grant execute on function staff.append_audit, staff.audit_break, staff.audit_check,
  staff.audit_hash, staff.close_colleague, staff.close_member, staff.make_member, staff.reset_member
  to sum28_application;
