-- The operator's people, their sessions, and the audit log of everything they do.

create schema staff;
grant usage on schema staff to sum28_application;

create table staff.member (
  id integer generated always as identity primary key,
  name text not null check (name ~ '^[a-z][a-z0-9_.-]{1,31}$'),
  role text not null check (role in ('owner', 'finance', 'support', 'editor', 'auditor')),
  password_hash text not null,
  -- Encrypted under a key that is not in the database.
  sealed_totp_secret bytea not null,
  totp_key_id text not null,
  -- The last time step whose code was taken: a code is good once.
  totp_step_used bigint not null default 0,
  active boolean not null default true,
  created_at timestamptz not null default app.now(),
  constraint staff_name_taken unique (name)
);

create table staff.session (
  token_hash bytea primary key,
  staff_id integer not null references staff.member,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'reset', 'inactive')),
  check ((ended_at is null) = (ended_by is null))
);
create index session_of_staff on staff.session (staff_id) where ended_at is null;

-- How often a name was tried from a network, whether or not somebody has that name. Names are kept
-- as hashes: people type a password into the wrong field.
create table staff.sign_in_tries (
  name_hash bytea not null,
  network text not null,
  tries integer not null default 1,
  since timestamptz not null default app.now(),
  primary key (name_hash, network)
);
create index sign_in_tries_by_age on staff.sign_in_tries (since);

-- Append-only; each row's hash covers the row before it, so that a row that is altered, taken out
-- or put elsewhere is found.
create table staff.audit (
  id bigint primary key,
  at timestamptz not null,
  staff_id integer references staff.member,
  action text not null,
  subject text not null,
  details jsonb not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);
-- Where the log ends, so that rows taken off its end are missed too.
create table staff.audit_head (
  only_one boolean primary key default true check (only_one),
  id bigint not null,
  hash bytea not null
);
insert into staff.audit_head (id, hash) values (0, sha256(''));

create trigger audit_never_changes before update or delete on staff.audit
  for each row execute function app.refuse_change();
create trigger audit_never_truncated before truncate on staff.audit
  for each statement execute function app.refuse_change();

create function staff.audit_hash(id bigint, at timestamptz, staff_id integer, action text, subject text,
  details jsonb, previous_hash bytea) returns bytea
language sql immutable
return sha256(previous_hash || convert_to(
  jsonb_build_array(id, extract(epoch from at)::text, staff_id, action, subject, details)::text, 'UTF8'));

create function staff.append_audit(staff_id integer, action text, subject text, details jsonb) returns bigint
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

-- The first place where the log is not what was written: the number of a row that was altered, is
-- missing or does not belong there; none when the log is whole.
create function staff.audit_break() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return (
  with chained as (
    select audit.*, row_number() over chain as place,
      coalesce(lag(hash) over chain, sha256('')) as expected_previous
    from staff.audit window chain as (order by id)
  ), last as (
    select coalesce(max(id), 0) as id from staff.audit
  )
  select least(
    (select min(place) from chained
     where id <> place or previous_hash <> expected_previous
       or hash <> staff.audit_hash(id, at, staff_id, action, subject, details, previous_hash)),
    (select case
       when last.id <> head.id then least(last.id, head.id) + 1
       when exists (select from staff.audit where id = head.id and hash <> head.hash) then head.id
     end from staff.audit_head head, last)
  )
);

revoke execute on function staff.append_audit, staff.audit_break from public;
grant execute on function staff.append_audit, staff.audit_break to sum28_application;
grant select, insert, update on staff.member, staff.session to sum28_application;
grant select, insert, update, delete on staff.sign_in_tries to sum28_application;
grant select on staff.audit to sum28_application;
