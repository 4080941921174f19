-- The operator's people, their sessions, and the audit log of everything they do.

create schema staff;

create table staff.member (
  id integer generated always as identity primary key,
  name text not null check (name ~ '^[a-z][a-z0-9_.-]{1,31}$'),
  role text not null check (role in ('owner', 'finance', 'support', 'editor', 'auditor')),
  password_hash text not null,
  -- Encrypted under a key that is not in the database.
  encrypted_totp_secret bytea not null,
  totp_key_id text not null,
  -- The last time step whose code was taken: a code is good once.
  totp_time_step bigint not null default 0,
  -- How many codes were given with the right password since the last right one, and when the last was.
  code_tries integer not null default 0,
  code_tried_at timestamptz,
  enrolled_at timestamptz,
  active boolean not null default true,
  created_at timestamptz not null default app.now(),
  constraint staff_name_taken unique (name)
);
comment on table staff.member is 'The operator''s people.';
comment on column staff.member.enrolled_at is
  'When he confirmed his TOTP secret by a code, or made a passkey in its place; null until then.';
comment on column staff.member.password_hash is 'Empty if he signs in with passkeys alone.';

create table staff.session (
  token_hash bytea primary key,
  id bigint generated always as identity,
  staff_id integer not null references staff.member,
  address text not null,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  -- When its member last proved that it is him; beginning it was a proof.
  proved_at timestamptz not null default app.now(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'reset', 'inactive')),
  check ((ended_at is null) = (ended_by is null)),
  constraint session_number unique (id)
);
comment on table staff.session is 'Sessions of staff, by the hash of the token.';
comment on column staff.session.address is 'The network that it was begun from.';
create index session_of_staff on staff.session (staff_id) where ended_at is null;
create index session_of_staff_by_begin on staff.session (staff_id, created_at);

create table staff.audit (
  id bigint primary key,
  at timestamptz not null,
  staff_id integer references staff.member,
  -- In which session it was done; none for the machine's console.
  session_id bigint references staff.session (id),
  action text not null,
  subject text not null,
  details jsonb not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table staff.audit is
  'The log of what staff do. Rows are added and never changed; each hash covers the row before it.';
create index audit_by_staff on staff.audit (staff_id, id);
create index audit_by_action on staff.audit (action, id);
create index audit_by_subject on staff.audit (subject, id);
create index audit_by_time on staff.audit (at, id);
create index audit_by_staff_and_action on staff.audit (staff_id, action, id);

create table staff.audit_head (
  only_one boolean primary key default true check (only_one),
  id bigint not null,
  hash bytea not null
);
comment on table staff.audit_head is 'One row: the last row of the log, so that a missing end is noticed.';

insert into staff.audit_head (id, hash) values (0, sha256(''));

create table staff.audit_signature (
  audit_id bigint not null,
  key_id text not null,
  mac bytea not null check (octet_length(mac) = 32),
  signed_at timestamptz not null default app.now(),
  primary key (audit_id, key_id)
);
comment on table staff.audit_signature is
  'A keyed hash of a row of the log, made with a key that is not in the database.';

create table staff.recovery_code (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  staff_id integer not null references staff.member,
  made_at timestamptz not null default app.now(),
  used_at timestamptz
);
comment on table staff.recovery_code is
  'Codes that sign a member in once, in place of a TOTP code; only their hashes.';
create index recovery_code_of_staff on staff.recovery_code (staff_id);

create table staff.passkey (
  id integer generated always as identity primary key,
  staff_id integer not null references staff.member,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- A COSE key.
  public_key bytea not null,
  -- What the authenticator keeps as the account's id: the same in all passkeys of a member.
  user_handle bytea not null check (octet_length(user_handle) = 32),
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  name text not null check (name <> '' and length(name) <= 40),
  created_at timestamptz not null default app.now(),
  used_at timestamptz,
  -- When its count went back: it signs in no more.
  cloned_at timestamptz
);
comment on table staff.passkey is 'Passkeys of members of staff; each takes the place of password and code.';
create index passkey_of_staff on staff.passkey (staff_id, id);

create table staff.passkey_role (
  role text primary key check (role in ('owner', 'finance', 'support', 'editor', 'auditor'))
);
comment on table staff.passkey_role is 'The roles whose members sign in with a passkey alone.';

create table staff.proposal_kind (
  kind text primary key,
  -- The roles that may propose it, and those that may end it. The owner and finance confirm.
  proposed_by text[] not null,
  ended_by text[] not null,
  -- The function that locks what the proposal is about, and returns why it may not be made or confirmed now, or null;
  -- or 'first' if two others have to confirm it.
  judge text not null,
  -- The function of its effect; null: it has its effect later, and can be ended until then.
  effect text,
  -- Whether several may wait about one subject.
  several boolean not null
);
comment on table staff.proposal_kind is
  'What one member of staff proposes and another confirms. Each kind has its functions in the schema of its tables.';

create table staff.proposal (
  id bigint generated always as identity primary key,
  kind text not null references staff.proposal_kind,
  -- What it is about, as in the audit log, such as room:11.
  subject text not null,
  player_id integer,
  content jsonb not null,
  reason text check (reason <> '' and length(reason) <= 500),
  state text not null default 'proposed'
    check (state in ('proposed', 'confirmed', 'effective', 'refused', 'withdrawn')),
  proposed_by integer not null references staff.member,
  proposed_at timestamptz not null,
  -- The first of two who confirm.
  first_confirmed_by integer references staff.member,
  confirmed_by integer references staff.member,
  confirmed_at timestamptz,
  -- What the confirming person adds, such as the reference of a payment.
  confirmed_with text,
  -- Who refused or withdrew it.
  ended_by integer references staff.member,
  ended_at timestamptz,
  end_reason text check (end_reason <> '' and length(end_reason) <= 500),
  -- When the effect came that comes later, and what it came with, such as a round's number.
  effective_at timestamptz,
  effective_with text,
  constraint two_persons check (confirmed_by <> proposed_by),
  constraint three_persons check (first_confirmed_by <> proposed_by and first_confirmed_by <> confirmed_by),
  constraint reason_given check (reason is not null or kind = 'bank_deposit'),
  constraint confirmation_is_whole check ((confirmed_by is null) = (confirmed_at is null)
    and (confirmed_by is not null or state not in ('confirmed', 'effective'))),
  constraint end_is_whole check ((ended_by is null) = (state not in ('refused', 'withdrawn'))
    and (ended_by is null) = (ended_at is null) and (ended_by is null) = (end_reason is null)),
  constraint withdrawn_by_its_maker check (ended_by is null or (state = 'withdrawn') = (ended_by = proposed_by)),
  constraint effect_is_whole check ((state = 'effective') = (effective_at is not null)
    and (effective_at is null) = (effective_with is null))
);
comment on table staff.proposal is
  'Proposals of members of staff, and what other members decided. The content never changes; each kind has its form.';
create index proposal_by_subject on staff.proposal (subject, id);
create index proposal_by_state on staff.proposal (state, id);
create index proposal_by_kind on staff.proposal (kind, id);
create index proposal_by_kind_and_state on staff.proposal (kind, state, id);
create index proposal_by_proposer on staff.proposal (proposed_by, id);
create index proposal_of_player on staff.proposal (player_id, id);
create index proposal_decided on staff.proposal (coalesce(ended_at, confirmed_at));
