-- The first sign-in of a member of staff: his TOTP secret is made then, and recovery codes. And from where
-- a session was begun.

-- Null until he has confirmed a code: until then his password alone signs in nowhere, and only begins
-- the enrolment.
alter table staff.member add column enrolled_at timestamptz;
update staff.member set enrolled_at = created_at;

alter table staff.session add column address text not null default '';
create index session_of_staff_by_begin on staff.session (staff_id, created_at);

create table staff.recovery_code (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  staff_id integer not null references staff.member,
  made_at timestamptz not null default app.now(),
  used_at timestamptz
);
create index recovery_code_of_staff on staff.recovery_code (staff_id);

comment on table staff.recovery_code is
  'Codes that sign a member in once, in place of a TOTP code; only their hashes.';
comment on column staff.member.enrolled_at is
  'When he confirmed his TOTP secret by a code; null until then.';
comment on column staff.session.address is 'The network that it was begun from.';
