-- The operator's people, their sessions, and the audit log of everything they do.

create table staff.member (
  id integer generated always as identity primary key,
  name text not null check (name ~ '^[a-z][a-z0-9_.-]{1,31}$'),
  role text not null check (role in ('owner', 'finance', 'support', 'editor', 'auditor')),
  -- Empty before he is invited, and if he signs in with passkeys alone.
  password_hash text not null,
  -- Encrypted under a key that is not in the database.
  encrypted_totp_secret bytea not null,
  totp_key_id text not null,
  -- The last time step whose code was taken: a code is good once.
  totp_time_step bigint not null default 0,
  -- How many codes were given with the right password since the last right one, and when the last was.
  code_tries integer not null default 0,
  code_tried_at timestamptz,
  -- When he confirmed his TOTP secret by a code, or made a passkey in its place; null until then.
  enrolled_at timestamptz,
  -- When a first password that was mailed is no longer good; null: never.
  password_ends_at timestamptz,
  -- Where his first password and his alerts are mailed to.
  email text check (length(email) <= 254 and email ~ '^[^[:space:]@]+@[^[:space:]@]+$'),
  -- The kinds of alerts that are mailed to him.
  alerts text[] not null default '{withdrawal_late,withdrawal_large,second_person,betting_stopped,chain_behind,check_failed}',
  active boolean not null default true,
  closed_at timestamptz,
  created_at timestamptz not null default app.now(),
  constraint staff_name_taken unique (name)
);

create table staff.session (
  token_hash bytea primary key,
  id bigint generated always as identity,
  staff_id integer not null references staff.member,
  -- The network that it was begun from.
  address text not null,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  -- When its member last confirmed that it is him, for changes of his passkeys; beginning it did.
  confirmed_at timestamptz not null default app.now(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'reset', 'inactive', 'colleague')),
  -- When the member proved in it by password and code that it is he; null once that was used.
  proved_at timestamptz,
  check ((ended_at is null) = (ended_by is null)),
  constraint session_number unique (id)
);
create index session_of_staff on staff.session (staff_id) where ended_at is null;
create index session_of_staff_by_begin on staff.session (staff_id, created_at);

-- The log of what staff do. Rows are added and never changed; each hash covers the row before it.
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
create index audit_by_staff on staff.audit (staff_id, id);
create index audit_by_action on staff.audit (action, id);
create index audit_by_subject on staff.audit (subject, id);
create index audit_by_subject_kind on staff.audit (split_part(subject, ':', 1), id);
create index audit_by_time on staff.audit (at, id);
create index audit_by_staff_and_action on staff.audit (staff_id, action, id);

-- One row: the last row of the log, so that a missing end is noticed, and where the log was found broken.
create table staff.audit_head (
  only_one boolean primary key default true check (only_one),
  id bigint not null,
  hash bytea not null,
  -- The first row that a job found changed or missing, since when, and whether by a file of the log's ends.
  broken_id bigint,
  broken_since timestamptz,
  broken_by_file boolean,
  check (num_nulls(broken_id, broken_since, broken_by_file) in (0, 3))
);

insert into staff.audit_head (id, hash) values (0, sha256(''));

-- A keyed hash of a row of the log, made with a key that is not in the database.
create table staff.audit_signature (
  audit_id bigint not null,
  key_id text not null,
  mac bytea not null check (octet_length(mac) = 32),
  signed_at timestamptz not null default app.now(),
  primary key (audit_id, key_id)
);

-- Codes that sign a member in once, in place of a TOTP code; only their hashes.
create table staff.recovery_code (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  staff_id integer not null references staff.member,
  made_at timestamptz not null default app.now(),
  used_at timestamptz
);
create index recovery_code_of_staff on staff.recovery_code (staff_id);

-- Passkeys of members of staff; each takes the place of password and code.
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
create index passkey_of_staff on staff.passkey (staff_id, id);

-- The roles whose members sign in with a passkey alone.
create table staff.passkey_role (
  role text primary key check (role in ('owner', 'finance', 'support', 'editor', 'auditor'))
);

-- What one member of staff proposes and another confirms. Each kind has its functions in the schema of its tables.
create table staff.proposal_kind (
  kind text primary key,
  -- The roles that may propose it, confirm it, and end it.
  proposed_by text[] not null,
  confirmed_by text[] not null,
  ended_by text[] not null,
  -- Whether several may wait about one subject.
  several boolean not null,
  -- The function that locks what the proposal is about, and returns why it may not be made or confirmed now, or null;
  -- or 'first' if two others have to confirm it.
  judge text not null,
  -- The function of its effect; null: it has its effect later, and can be ended until then.
  effect text
);

insert into staff.proposal_kind (kind, proposed_by, confirmed_by, ended_by, several, judge, effect) values
  ('member', '{owner}', '{owner}', '{owner}', false, 'staff.judge_member', 'staff.put_member'),
  ('void', '{owner,finance,support}', '{owner,finance}', '{owner,finance}', false,
    'rounds.judge_void', 'rounds.void_by_two'),
  ('bank_deposit', '{owner,finance,support}', '{owner,finance}', '{owner,finance}', true,
    'deposits.judge_bank_deposit', 'deposits.credit_bank_deposit'),
  ('bank_account', '{owner}', '{owner}', '{owner}', false, 'deposits.judge_bank_account', 'deposits.put_bank_account'),
  ('assignment', '{owner,finance,support}', '{owner,finance}', '{owner,finance}', false,
    'deposits.judge_assignment', 'deposits.credit_assignment'),
  ('reversal', '{owner,finance}', '{owner,finance}', '{owner,finance}', false,
    'withdrawals.judge_reversal', 'withdrawals.reverse'),
  ('code_reset', '{owner,finance,support}', '{owner,finance}', '{owner,finance,support}', false,
    'console_players.judge_code_reset', 'console_players.reset_code'),
  ('factor_reset', '{owner,finance,support}', '{owner,finance}', '{owner,finance,support}', false,
    'console_players.judge_factor_reset', 'console_players.reset_factor'),
  ('address_reset', '{owner,finance,support}', '{owner,finance}', '{owner,finance,support}', false,
    'console_players.judge_address_reset', 'console_players.reset_address'),
  ('bonus', '{owner,finance,support}', '{owner,finance}', '{owner,finance}', true,
    'console_money.judge_adjustment', 'console_money.adjust'),
  ('credit', '{owner,finance,support}', '{owner,finance}', '{owner,finance}', true,
    'console_money.judge_adjustment', 'console_money.adjust'),
  ('debit', '{owner,finance,support}', '{owner,finance}', '{owner,finance}', true,
    'console_money.judge_adjustment', 'console_money.adjust'),
  ('refund', '{owner,finance,support}', '{owner,finance}', '{owner,finance}', false,
    'console_money.judge_refund', 'console_money.refund'),
  ('room_change', '{owner,finance}', '{owner,finance}', '{owner,finance}', false,
    'console_games.judge_room_change', null),
  ('odds_change', '{owner}', '{owner,finance}', '{owner,finance}', false,
    'console_games.judge_odds_change', 'console_games.change_odds'),
  ('bank_balance', '{owner,finance}', '{owner,finance}', '{owner,finance}', false,
    'disclosure.judge_bank_balance', 'disclosure.set_bank_balance');

-- Proposals of members of staff, and what other members decided. The content never changes; each kind has its form.
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
  -- Whether the only owner confirmed it himself, by a fresh code.
  alone boolean not null default false,
  -- Who refused or withdrew it.
  ended_by integer references staff.member,
  ended_at timestamptz,
  end_reason text check (end_reason <> '' and length(end_reason) <= 500),
  -- When the effect came that comes later, and what it came with, such as a round's number.
  effective_at timestamptz,
  effective_with text,
  constraint two_persons check (confirmed_by <> proposed_by or alone),
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
create index proposal_by_subject on staff.proposal (subject, id);
create index proposal_by_state on staff.proposal (state, id);
create index proposal_by_kind on staff.proposal (kind, id);
create index proposal_by_kind_and_state on staff.proposal (kind, state, id);
create index proposal_by_proposer on staff.proposal (proposed_by, id);
create index proposal_of_player on staff.proposal (player_id, id);
create index proposal_decided on staff.proposal (coalesce(ended_at, confirmed_at));

-- Who makes a payment outside of the product: it is recorded by him alone, until he gives it back or another takes it
-- over.
create table staff.taken_payment (
  -- What is paid outside of the product, such as withdrawal:12 or bank_batch:3.
  subject text primary key,
  taken_by integer not null references staff.member,
  taken_at timestamptz not null,
  -- From whom it was taken over: each of them could have made it.
  had_by integer[] not null default '{}'
);

-- Who gave a payment back, or said that it was not made, or had it before one who did: he does not make it, until it is
-- recorded, or released by a person who said no such thing.
create table staff.payment_denial (
  -- What is paid outside of the product, such as withdrawal:12 or held_deposit:3.
  subject text,
  staff_id integer references staff.member,
  at timestamptz not null,
  primary key (subject, staff_id)
);

-- What one shift leaves to the next; notes are not changed.
create table staff.shift_note (
  id integer generated always as identity primary key,
  written_at timestamptz not null default app.now(),
  written_by integer not null references staff.member,
  text text not null check (text <> '' and length(text) <= 500)
);

-- Receivers of alerts: each gets a signed POST.
create table staff.webhook (
  id integer generated always as identity primary key,
  url text not null check (length(url) <= 500),
  kinds text[] not null check (cardinality(kinds) > 0),
  -- Its secret is a keyed hash of the salt, by the key of this name, and stored nowhere.
  salt bytea not null check (octet_length(salt) = 16),
  key_id text not null,
  made_by integer not null references staff.member,
  made_at timestamptz not null default app.now(),
  -- Since when its receiver has taken nothing, and the last reason.
  failed_since timestamptz,
  failure text,
  -- When an owner removed it, or its receiver said that it is gone.
  ended_at timestamptz,
  constraint failure_is_whole check ((failed_since is null) = (failure is null))
);

-- What members of staff are told of outside of the console: each cause once, for as long as it lasts.
create table staff.alert (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What it is about, such as withdrawal:12, or the fault.
  cause text not null,
  -- What a role must be allowed to see: an action, or a kind of proposals.
  seen_by text not null,
  since timestamptz not null,
  found_at timestamptz not null default app.now(),
  -- When its deliveries were queued: at once, or once it has lasted after it had ended shortly before.
  told_at timestamptz,
  ended_at timestamptz
);
create unique index alert_once on staff.alert (kind, cause) where ended_at is null;
create index alert_ended on staff.alert (ended_at);
create index alert_by_cause on staff.alert (kind, cause, ended_at);

-- New alerts on their way to one receiver: tried until he has them.
create table staff.alert_delivery (
  -- It stays the same through all tries.
  id uuid primary key default gen_random_uuid(),
  staff_id integer references staff.member,
  webhook_id integer references staff.webhook,
  alert_ids bigint[] not null,
  made_at timestamptz not null default app.now(),
  tries integer not null default 0,
  try_at timestamptz not null default app.now(),
  -- Or given up.
  sent_at timestamptz,
  constraint one_receiver check ((staff_id is null) <> (webhook_id is null))
);
create index alert_delivery_due on staff.alert_delivery (try_at) where sent_at is null;
create index alert_delivery_sent on staff.alert_delivery (sent_at);
create index alert_delivery_of_webhook on staff.alert_delivery (webhook_id) where sent_at is null;
