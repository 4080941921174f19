-- The whole database, as the migrations and the functions make it.
-- Made by `npm run schema`; a test fails where it is not up to date. Nobody reads it in to make a database.
--
-- Schemas stand in module order. Partitions are left out. The text of a function, trigger, view
-- or grant of a schema stands in functions/<schema>.sql; here are the signatures.
-- [owner]: runs with the rights of the owner. [api], [engine], [jobs]: these parts may call it; [application]: all.

-- public ==========================================================================================

create table public.migration (
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default clock_timestamp(),
  constraint migration_pkey PRIMARY KEY (name)
);

grant select on public.migration to sum28_application;

-- app =============================================================================================

create table app.books_checked (
  only_one boolean not null default true,
  through timestamptz not null,
  wrong_since timestamptz,
  constraint books_checked_pkey PRIMARY KEY (only_one),
  constraint books_checked_only_one_check CHECK (only_one)
);
comment on table app.books_checked is 'One row: up to when the daily check found the books right.';

create table app.call_count (
  counter bytea not null,
  ends_at timestamptz not null,
  calls integer not null,
  constraint call_count_pkey PRIMARY KEY (counter)
);
comment on table app.call_count is 'Calls of one network to one limit, or of one player, of all processes together, until the window ends.';
CREATE INDEX call_count_by_end ON app.call_count USING btree (ends_at);

create table app.captured_mail (
  number bigint not null generated always as identity,
  mail_id text not null,
  captured_at timestamptz not null default app.now(),
  to_address text not null,
  subject text not null,
  body text not null,
  constraint captured_mail_pkey PRIMARY KEY (number),
  constraint captured_mail_mail_id_key UNIQUE (mail_id)
);
comment on table app.captured_mail is 'The latest mails of a demo, which has no mail server.';

create table app.regular_job (
  name text not null,
  begun_at timestamptz not null,
  constraint regular_job_pkey PRIMARY KEY (name)
);
comment on table app.regular_job is 'When each regular job was last added to the queue.';

create table app.request_key (
  owner text not null,
  key text not null,
  route text not null,
  input_hash bytea not null,
  result jsonb,
  created_at timestamptz not null default app.now(),
  constraint request_key_pkey PRIMARY KEY (owner, key),
  constraint request_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);
comment on table app.request_key is 'The keys of requests that act once, with what the reply is made from.';
CREATE INDEX request_key_by_age ON app.request_key USING btree (created_at);

create table app.sent_mail (
  mail_id text not null,
  sent_at timestamptz not null default app.now(),
  given_up boolean not null default false,
  constraint sent_mail_pkey PRIMARY KEY (mail_id)
);
comment on table app.sent_mail is 'Mails that the mail server has taken: a job that is repeated does not send them again. And mails that were given up.';
CREATE INDEX sent_mail_by_age ON app.sent_mail USING btree (sent_at);

create table app.setting (
  name text not null,
  value text,
  constraint setting_pkey PRIMARY KEY (name)
);
comment on table app.setting is 'What all processes must be given alike, although no function reads it: as the last ROLE=migrate or all had it.';

-- Functions, written in functions/app.sql:
--   app.count_calls(counters bytea[], calls_each integer[], left_each integer[]) returns TABLE(counter bytea, calls integer, ends_at timestamptz) [owner] [application]
--   app.is_plain_reference(reference text) returns boolean
--   app.now() returns timestamptz [application]
--   app.number_in(typed text) returns bigint [api]
--   app.parts_of(whole text) returns text[] [application]
--   app.reference_key(reference text) returns text [api]
--   app.refuse_change() returns trigger
--   app.refuse(event text, VARIADIC tables text[]) returns void

grant select on app.books_checked to sum28_api;
grant select, update on app.books_checked to sum28_jobs;
grant select on app.captured_mail to sum28_api;
grant delete, insert, select on app.captured_mail to sum28_jobs;
grant insert, select, update on app.regular_job to sum28_jobs;
grant delete, insert, select, update on app.request_key to sum28_api;
grant delete, select on app.request_key to sum28_jobs;
grant update (created_at) on app.request_key to sum28_jobs;
grant select on app.sent_mail to sum28_api;
grant delete, insert, select, update on app.sent_mail to sum28_jobs;
grant select on app.setting to sum28_application;

-- ledger ==========================================================================================

create sequence ledger.posting_id;

create type ledger.posting_request as (
  holder_id integer,
  booked_on date,
  kind text,
  source text,
  destination text,
  amount bigint,
  reference text
);
comment on type ledger.posting_request is 'What ledger.post is asked to post.';

create table ledger.balance (
  holder_id integer not null,
  cash bigint not null default 0,
  held bigint not null default 0,
  last_posting bigint not null default 0,
  constraint balance_pkey PRIMARY KEY (holder_id),
  constraint cash_not_negative CHECK ((cash >= 0)),
  constraint held_not_negative CHECK ((held >= 0))
);
comment on table ledger.balance is 'What a holder has. Changed only by ledger.post; always the sum of the postings.';
comment on column ledger.balance.last_posting is 'The number of the holder''s last posting, 0 before the first: of two balances of a holder it tells the later one.';
CREATE TRIGGER balance_never_deleted BEFORE DELETE OR UPDATE OF holder_id ON ledger.balance FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER balance_never_truncated BEFORE TRUNCATE ON ledger.balance FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table ledger.posting (
  holder_id integer not null,
  id bigint not null,
  booked_on date not null,
  posted_at timestamptz not null,
  kind text not null,
  source text not null,
  destination text not null,
  amount bigint not null,
  cash_after bigint not null,
  held_after bigint not null,
  reference text not null,
  constraint posting_pkey PRIMARY KEY (holder_id, id, booked_on),
  constraint posted_once UNIQUE (holder_id, kind, reference, booked_on),
  constraint holder_involved CHECK (((source = ANY (ARRAY['cash'::text, 'held'::text])) OR (destination = ANY (ARRAY['cash'::text, 'held'::text])))),
  constraint known_accounts CHECK (((source = ANY (ARRAY['cash'::text, 'held'::text, 'house:treasury'::text, 'house:game'::text, 'house:bonus'::text, 'house:robots'::text])) AND (destination = ANY (ARRAY['cash'::text, 'held'::text, 'house:treasury'::text, 'house:game'::text, 'house:bonus'::text, 'house:robots'::text])))),
  constraint posting_amount_check CHECK ((amount > 0)),
  constraint posting_cash_after_check CHECK ((cash_after >= 0)),
  constraint posting_held_after_check CHECK ((held_after >= 0)),
  constraint two_accounts CHECK ((source <> destination))
) partition by RANGE (booked_on);
comment on table ledger.posting is 'The journal. Rows are added and never changed.';
comment on column ledger.posting.booked_on is 'The day that the posting counts for: a bet''s game day, else the day in the operator''s time zone.';
comment on column ledger.posting.amount is 'Micro-units.';
comment on column ledger.posting.reference is 'What caused it: one posting of a kind for each cause.';
CREATE INDEX posting_by_time ON ledger.posting USING brin (posted_at) WITH (autosummarize='on');
CREATE INDEX posting_of_money ON ledger.posting USING btree (posted_at) INCLUDE (holder_id, kind, amount) WHERE (kind <> ALL (ARRAY['stake'::text, 'payout'::text, 'refund'::text]));
CREATE INDEX posting_of_money_of_holder ON ledger.posting USING btree (holder_id, posted_at) INCLUDE (kind, amount) WHERE (kind <> ALL (ARRAY['stake'::text, 'payout'::text, 'refund'::text]));
CREATE TRIGGER posting_agrees_with_balance AFTER INSERT ON ledger.posting REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.check_balances_agree();
CREATE TRIGGER posting_never_changes BEFORE DELETE OR UPDATE ON ledger.posting FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER posting_never_truncated BEFORE TRUNCATE ON ledger.posting FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Functions, written in functions/ledger.sql:
--   ledger.check_balances_agree() returns trigger
--   ledger.post(requests ledger.posting_request[]) returns SETOF ledger.posting

-- View ledger.account_total, written in functions/ledger.sql: account text, total numeric

grant select on ledger.account_total to sum28_api;
grant select on ledger.account_total to sum28_jobs;
grant select on ledger.balance to sum28_api;
grant select on ledger.balance to sum28_jobs;
grant select on ledger.posting to sum28_api;
grant select on ledger.posting to sum28_jobs;

-- accounts ========================================================================================

create domain accounts.canonical_email as text CHECK (((octet_length(VALUE) <= 254) AND (POSITION(('@'::text) IN (VALUE)) <= 65) AND (VALUE ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'::text || '@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$'::text))));

create table accounts.challenge (
  hash bytea not null,
  made_at timestamptz not null default app.now(),
  constraint challenge_pkey PRIMARY KEY (hash),
  constraint challenge_hash_check CHECK ((octet_length(hash) = 32))
);
comment on table accounts.challenge is 'Challenges that an authenticator has to sign: each is good once, for some minutes.';
CREATE INDEX challenge_by_age ON accounts.challenge USING btree (made_at);

create table accounts.counter (
  key bytea not null,
  tries integer not null default 1,
  since timestamptz not null default app.now(),
  last_at timestamptz not null default app.now(),
  constraint counter_pkey PRIMARY KEY (key)
);
comment on table accounts.counter is 'How often something was done that is limited, by a keyed hash.';
CREATE INDEX counter_by_age ON accounts.counter USING btree (last_at);

create table accounts.document (
  player_id integer not null,
  encrypted_number bytea not null,
  shown_number text not null,
  key_id text not null,
  changed_at timestamptz not null default app.now(),
  constraint document_pkey PRIMARY KEY (player_id),
  constraint document_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table accounts.document is 'The number of an identity document, encrypted.';

create table accounts.email_code (
  id bigint not null generated always as identity,
  email_key accounts.canonical_email not null,
  event text not null,
  code_hash bytea not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  asked_from bytea,
  on_allowance boolean not null default false,
  constraint email_code_pkey PRIMARY KEY (id),
  constraint email_code_event_check CHECK ((event = ANY (ARRAY['register'::text, 'resetpwd'::text, 'old_email'::text, 'new_email'::text])))
);
comment on table accounts.email_code is 'Codes that were mailed, as hashes.';
CREATE INDEX email_code_by_address ON accounts.email_code USING btree (email_key, event, id DESC);
CREATE INDEX email_code_by_age ON accounts.email_code USING btree (created_at);

create table accounts.freezing (
  id bigint not null generated always as identity,
  player_id integer not null,
  reason text not null,
  frozen_by integer not null,
  frozen_at timestamptz not null,
  lifted_by integer,
  lifted_at timestamptz,
  lift_reason text,
  constraint freezing_pkey PRIMARY KEY (id),
  constraint freezing_frozen_by_fkey FOREIGN KEY (frozen_by) REFERENCES staff.member(id),
  constraint freezing_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES staff.member(id),
  constraint freezing_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint freezing_check CHECK (((lifted_at IS NULL) = (lifted_by IS NULL))),
  constraint freezing_check1 CHECK (((lifted_at IS NULL) = (lift_reason IS NULL)))
);
comment on table accounts.freezing is 'When, why and by whom an account was frozen, and how that ended.';
CREATE INDEX freezing_now ON accounts.freezing USING btree (id) WHERE (lifted_at IS NULL);
CREATE UNIQUE INDEX one_freeze_at_a_time ON accounts.freezing USING btree (player_id) WHERE (lifted_at IS NULL);

create table accounts.house_picture (
  name text not null,
  content bytea not null,
  created_at timestamptz not null default app.now(),
  unused_since timestamptz,
  constraint house_picture_pkey PRIMARY KEY (name),
  constraint house_picture_name_check CHECK ((name ~ '^[0-9a-f]{32}\.webp$'::text))
);
comment on table accounts.house_picture is 'Pictures that editors uploaded, for banners, articles and other texts. The name is a hash of the content.';
comment on column accounts.house_picture.unused_since is 'When it was first found that nothing names it; null: something does, or nobody has looked yet.';

create table accounts.known_device (
  player_id integer not null,
  secret_hash bytea not null,
  first_at timestamptz not null default app.now(),
  last_at timestamptz not null default app.now(),
  constraint known_device_pkey PRIMARY KEY (player_id, secret_hash),
  constraint known_device_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table accounts.known_device is 'Devices on which a player has signed in, by the cookie that each keeps.';
CREATE INDEX known_device_by_age ON accounts.known_device USING btree (last_at);

create table accounts.known_network (
  player_id integer not null,
  network_hash bytea not null,
  last_at timestamptz not null default app.now(),
  constraint known_network_pkey PRIMARY KEY (player_id, network_hash),
  constraint known_network_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table accounts.known_network is 'Networks from which a player has signed in.';
CREATE INDEX known_network_by_age ON accounts.known_network USING btree (last_at);
CREATE INDEX known_network_by_hash ON accounts.known_network USING btree (network_hash, player_id);

create table accounts.passkey (
  id integer not null generated always as identity,
  player_id integer not null,
  credential_id bytea not null,
  public_key bytea not null,
  user_handle bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default app.now(),
  used_at timestamptz,
  cloned_at timestamptz,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint passkey_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
  constraint passkey_name_check CHECK (((name <> ''::text) AND (length(name) <= 40))),
  constraint passkey_sign_count_check CHECK ((sign_count >= 0)),
  constraint passkey_user_handle_check CHECK ((octet_length(user_handle) = 32))
);
comment on table accounts.passkey is 'Passkeys of players: public keys, whose private ones stay in the players'' devices.';
CREATE INDEX passkey_of_player ON accounts.passkey USING btree (player_id, id);

create table accounts.player (
  id integer not null generated always as identity,
  username text not null,
  username_key text not null generated always as (lower((username COLLATE "C"))) stored,
  email text,
  email_key accounts.canonical_email,
  password_hash text,
  password_required_at timestamptz,
  group_id smallint not null,
  kind text not null default 'person'::text,
  state text not null default 'active'::text,
  closed_at timestamptz,
  anonymised_at timestamptz,
  avatar text not null default 'preset:1'::text,
  lang text not null default 'en'::text,
  inviter_id integer,
  created_at timestamptz not null default app.now(),
  sensitive_changed_at timestamptz,
  constraint player_pkey PRIMARY KEY (id),
  constraint email_taken UNIQUE (email_key),
  constraint username_taken UNIQUE (username_key),
  constraint player_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES accounts.player(id),
  constraint anonymised_tells_nothing CHECK (((anonymised_at IS NULL) OR ((email IS NULL) AND (password_hash IS NULL)))),
  constraint anonymised_when_closed CHECK (((anonymised_at IS NULL) OR (state = 'closed'::text))),
  constraint closed_at_a_time CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint email_has_its_key CHECK (((email IS NULL) = (email_key IS NULL))),
  constraint members_have_email CHECK (((group_id <> 1) OR (kind = 'robot'::text) OR (email IS NOT NULL) OR (anonymised_at IS NOT NULL))),
  constraint player_group_id_check CHECK ((group_id = ANY (ARRAY[1, 2]))),
  constraint player_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'robot'::text]))),
  constraint player_state_check CHECK ((state = ANY (ARRAY['active'::text, 'frozen'::text, 'closed'::text]))),
  constraint username_is_ascii CHECK (((username COLLATE "C") ~ '^[A-Za-z0-9_]{3,32}$'::text))
);
comment on table accounts.player is 'An account, of a person or of a robot.';
comment on column accounts.player.password_required_at is 'Since when he cannot sign in until he has set a new password by mail; null: he can.';
comment on column accounts.player.group_id is '1 member: proved an e-mail address. 2 visitor.';
comment on column accounts.player.anonymised_at is 'Since when nothing in a closed account tells who its player was.';
comment on column accounts.player.sensitive_changed_at is 'When the player last changed what a thief would change; withdrawals are held for a while after it.';
CREATE INDEX player_active_visitors ON accounts.player USING btree (id) WHERE ((group_id = 2) AND (state = 'active'::text));
CREATE INDEX player_by_begin ON accounts.player USING btree (created_at, id) WHERE (kind = 'person'::text);
CREATE INDEX player_by_email_begin ON accounts.player USING btree (((email_key)::text) text_pattern_ops) WHERE (kind = 'person'::text);
CREATE INDEX player_by_inviter ON accounts.player USING btree (inviter_id, id DESC) WHERE (inviter_id IS NOT NULL);
CREATE INDEX player_by_name_begin ON accounts.player USING btree (username_key text_pattern_ops) WHERE (kind = 'person'::text);
CREATE INDEX player_by_part ON accounts.player USING gin (app.parts_of(((username_key || ' '::text) || COALESCE((email_key)::text, ''::text)))) WITH (fastupdate=off) WHERE (kind = 'person'::text);
CREATE INDEX player_closed ON accounts.player USING btree (closed_at) WHERE ((state = 'closed'::text) AND (anonymised_at IS NULL));
CREATE INDEX player_frozen ON accounts.player USING btree (id) WHERE (state = 'frozen'::text);
CREATE INDEX player_not_active ON accounts.player USING btree (state, created_at, id) WHERE (state <> 'active'::text);
CREATE INDEX player_not_active_by_name ON accounts.player USING btree (state, username_key, id) WHERE (state <> 'active'::text);
CREATE INDEX player_visitors ON accounts.player USING btree (id) WHERE (group_id = 2);
CREATE TRIGGER kind_never_changes BEFORE UPDATE ON accounts.player FOR EACH ROW WHEN ((old.kind IS DISTINCT FROM new.kind)) EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER password_fulfilled BEFORE UPDATE OF password_hash ON accounts.player FOR EACH ROW WHEN ((new.password_hash IS DISTINCT FROM old.password_hash)) EXECUTE FUNCTION accounts.fulfil_password();
CREATE TRIGGER player_never_deleted BEFORE DELETE OR UPDATE OF id ON accounts.player FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER player_never_truncated BEFORE TRUNCATE ON accounts.player FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER protection_opens AFTER INSERT ON accounts.player FOR EACH ROW WHEN (accounts.is_person(new.*)) EXECUTE FUNCTION protection.open_with_account();
CREATE TRIGGER wallet_opens AFTER INSERT ON accounts.player FOR EACH ROW EXECUTE FUNCTION wallet.open_with_account();

create table accounts.recovery_code (
  code_hash bytea not null,
  player_id integer not null,
  made_at timestamptz not null default app.now(),
  used_at timestamptz,
  constraint recovery_code_pkey PRIMARY KEY (code_hash),
  constraint recovery_code_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table accounts.recovery_code is 'Codes that stand in for a player''s second factor, each once; only their hashes.';
CREATE INDEX recovery_code_of_player ON accounts.recovery_code USING btree (player_id);

create table accounts.remembered_device (
  secret_hash bytea not null,
  player_id integer not null,
  created_at timestamptz not null default app.now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz,
  family uuid not null default gen_random_uuid(),
  used_key bytea,
  constraint remembered_device_pkey PRIMARY KEY (secret_hash),
  constraint remembered_device_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table accounts.remembered_device is 'A device that signs in without a password, by the hash of its secret.';
comment on column accounts.remembered_device.used_key is 'The hash of the idempotency key of the call that used the secret: the same call may come again.';
CREATE INDEX remembered_device_by_age ON accounts.remembered_device USING btree (expires_at);
CREATE INDEX remembered_device_of_family ON accounts.remembered_device USING btree (family);
CREATE INDEX remembered_device_of_player ON accounts.remembered_device USING btree (player_id, created_at);

create table accounts.second_factor (
  player_id integer not null,
  on_since timestamptz not null default app.now(),
  encrypted_totp_secret bytea,
  totp_key_id text,
  totp_time_step bigint not null default 0,
  used_at timestamptz,
  constraint second_factor_pkey PRIMARY KEY (player_id),
  constraint second_factor_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint second_factor_check CHECK (((encrypted_totp_secret IS NULL) = (totp_key_id IS NULL)))
);
comment on table accounts.second_factor is 'Players who are asked for a code or a passkey on a new device, and before they change what a thief would change.';

create table accounts.security_code (
  player_id integer not null,
  code_hash text not null,
  changed_at timestamptz not null default app.now(),
  tries smallint not null default 0,
  locked_until timestamptz,
  constraint security_code_pkey PRIMARY KEY (player_id),
  constraint security_code_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table accounts.security_code is 'The code that a withdrawal needs, as a hash, with the wrong tries since the last right one.';

create table accounts.security_link (
  token_hash bytea not null,
  player_id integer not null,
  old_email text,
  made_at timestamptz not null default app.now(),
  used_at timestamptz,
  constraint security_link_pkey PRIMARY KEY (token_hash),
  constraint security_link_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table accounts.security_link is 'Links in mails by which a player takes his account back: each is good once, for 72 hours.';
CREATE INDEX security_link_by_age ON accounts.security_link USING btree (made_at);
CREATE INDEX security_link_of_player ON accounts.security_link USING btree (player_id);

create table accounts.session (
  token_hash bytea not null,
  id bigint not null generated always as identity,
  player_id integer not null,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  net_at_start bigint not null,
  ended_at timestamptz,
  ended_by text,
  device_family uuid,
  proved_at timestamptz,
  signed_in_at timestamptz,
  device text not null default ''::text,
  network text not null default ''::text,
  device_hash bytea,
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint session_check CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint session_ended_by_check CHECK ((ended_by = ANY (ARRAY['logout'::text, 'password'::text, 'frozen'::text, 'replayed'::text, 'staff'::text, 'closed'::text])))
);
comment on table accounts.session is 'A player''s session, by the hash of its token.';
CREATE INDEX session_by_age ON accounts.session USING btree (seen_at);
CREATE INDEX session_of_family ON accounts.session USING btree (device_family) WHERE ((device_family IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX session_of_player ON accounts.session USING btree (player_id) WHERE (ended_at IS NULL);
CREATE INDEX session_of_player_by_begin ON accounts.session USING btree (player_id, created_at);

create table accounts.uploaded_picture (
  player_id integer not null,
  name text not null,
  content bytea not null,
  created_at timestamptz not null default app.now(),
  constraint uploaded_picture_pkey PRIMARY KEY (player_id, name),
  constraint uploaded_picture_name_key UNIQUE (name),
  constraint uploaded_picture_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint uploaded_picture_name_check CHECK ((name ~ '^[0-9a-f]{32}\.webp$'::text))
);
comment on table accounts.uploaded_picture is 'Pictures that players uploaded. The name is a hash of player and content, so that its content never changes.';

-- Functions, written in functions/accounts.sql:
--   accounts.change_email(of_player integer, new_email text, way_back bytea) returns text [owner] [api]
--   accounts.fulfil_password() returns trigger
--   accounts.is_person(player accounts.player) returns boolean [api] [jobs]
--   accounts.note_sensitive_change(of_player integer) returns void [owner] [api]
--   accounts.players_called(typed text) returns integer[] [api]
--   accounts.put_code(of_player integer, new_hash text, old_hash text) returns boolean [owner] [api]
--   accounts.sign_out(of_player integer, by text) returns void
--   accounts.take_back(by_link bytea) returns TABLE(answer text, of_player integer, of_address boolean) [owner] [api]
--   accounts.void_codes(of_player integer) returns void
--   accounts.wait_after(tries integer, free integer, wait_max integer) returns interval [api]

grant delete, insert, select, update on accounts.challenge to sum28_api;
grant delete, insert, select, update on accounts.counter to sum28_api;
grant delete, select on accounts.counter to sum28_jobs;
grant update (last_at) on accounts.counter to sum28_jobs;
grant insert, select, update on accounts.document to sum28_api;
grant select on accounts.document to sum28_jobs;
grant update (encrypted_number, key_id) on accounts.document to sum28_jobs;
grant insert, select, update on accounts.email_code to sum28_api;
grant delete, select on accounts.email_code to sum28_jobs;
grant update (created_at) on accounts.email_code to sum28_jobs;
grant select on accounts.freezing to sum28_api;
grant select on accounts.freezing to sum28_jobs;
grant select on accounts.house_picture to sum28_api;
grant select on accounts.house_picture to sum28_jobs;
grant delete, insert, select on accounts.known_device to sum28_api;
grant delete, select on accounts.known_device to sum28_jobs;
grant update (last_at) on accounts.known_device to sum28_api;
grant update (last_at) on accounts.known_device to sum28_jobs;
grant delete, insert, select, update on accounts.known_network to sum28_api;
grant delete, select on accounts.known_network to sum28_jobs;
grant update (last_at) on accounts.known_network to sum28_jobs;
grant delete, insert, select on accounts.passkey to sum28_api;
grant select on accounts.passkey to sum28_jobs;
grant update (cloned_at, sign_count, used_at) on accounts.passkey to sum28_api;
grant select on accounts.player to sum28_api;
grant select on accounts.player to sum28_jobs;
grant insert (email, email_key, group_id, inviter_id, lang, password_hash, username) on accounts.player to sum28_api;
grant update (avatar, lang, password_hash) on accounts.player to sum28_api;
grant delete, insert, select on accounts.recovery_code to sum28_api;
grant select on accounts.recovery_code to sum28_jobs;
grant update (used_at) on accounts.recovery_code to sum28_api;
grant delete, insert, select, update on accounts.remembered_device to sum28_api;
grant delete, select on accounts.remembered_device to sum28_jobs;
grant update (expires_at) on accounts.remembered_device to sum28_jobs;
grant delete, insert, select, update on accounts.second_factor to sum28_api;
grant select on accounts.second_factor to sum28_jobs;
grant update (encrypted_totp_secret, totp_key_id) on accounts.second_factor to sum28_jobs;
grant select on accounts.security_code to sum28_api;
grant select on accounts.security_code to sum28_jobs;
grant update (locked_until, tries) on accounts.security_code to sum28_api;
grant select on accounts.security_link to sum28_api;
grant delete, select on accounts.security_link to sum28_jobs;
grant insert (player_id, token_hash) on accounts.security_link to sum28_api;
grant update (made_at) on accounts.security_link to sum28_jobs;
grant delete, select on accounts.session to sum28_api;
grant delete, select on accounts.session to sum28_jobs;
grant insert (device, device_hash, net_at_start, network, player_id, signed_in_at, token_hash) on accounts.session to sum28_api;
grant update (device_family, ended_at, ended_by, proved_at, seen_at) on accounts.session to sum28_api;
grant update (seen_at) on accounts.session to sum28_jobs;
grant delete, insert, select, update on accounts.uploaded_picture to sum28_api;
grant select on accounts.uploaded_picture to sum28_jobs;

-- staff ===========================================================================================

create table staff.alert (
  id bigint not null generated always as identity,
  kind text not null,
  cause text not null,
  since timestamptz not null,
  found_at timestamptz not null default app.now(),
  ended_at timestamptz,
  constraint alert_pkey PRIMARY KEY (id)
);
comment on table staff.alert is 'What members of staff are told of outside of the console: each cause once, for as long as it lasts.';
CREATE INDEX alert_by_cause ON staff.alert USING btree (kind, cause, ended_at);
CREATE INDEX alert_ended ON staff.alert USING btree (ended_at);
CREATE UNIQUE INDEX alert_once ON staff.alert USING btree (kind, cause) WHERE (ended_at IS NULL);

create table staff.alert_delivery (
  id uuid not null default gen_random_uuid(),
  staff_id integer,
  webhook_id integer,
  alert_ids bigint[] not null,
  made_at timestamptz not null default app.now(),
  tries integer not null default 0,
  try_at timestamptz not null default app.now(),
  sent_at timestamptz,
  constraint alert_delivery_pkey PRIMARY KEY (id),
  constraint alert_delivery_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff.member(id),
  constraint alert_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES staff.webhook(id),
  constraint one_receiver CHECK (((staff_id IS NULL) <> (webhook_id IS NULL)))
);
comment on table staff.alert_delivery is 'New alerts on their way to one receiver: tried until he has them.';
CREATE INDEX alert_delivery_due ON staff.alert_delivery USING btree (try_at) WHERE (sent_at IS NULL);
CREATE INDEX alert_delivery_of_webhook ON staff.alert_delivery USING btree (webhook_id) WHERE (sent_at IS NULL);
CREATE INDEX alert_delivery_sent ON staff.alert_delivery USING btree (sent_at);

create table staff.audit (
  id bigint not null,
  at timestamptz not null,
  staff_id integer,
  session_id bigint,
  action text not null,
  subject text not null,
  details jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_pkey PRIMARY KEY (id),
  constraint audit_session_id_fkey FOREIGN KEY (session_id) REFERENCES staff.session(id),
  constraint audit_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff.member(id),
  constraint audit_hash_check CHECK ((octet_length(hash) = 32)),
  constraint audit_previous_hash_check CHECK ((octet_length(previous_hash) = 32))
);
comment on table staff.audit is 'The log of what staff do. Rows are added and never changed; each hash covers the row before it.';
CREATE INDEX audit_by_action ON staff.audit USING btree (action, id);
CREATE INDEX audit_by_staff ON staff.audit USING btree (staff_id, id);
CREATE INDEX audit_by_staff_and_action ON staff.audit USING btree (staff_id, action, id);
CREATE INDEX audit_by_subject ON staff.audit USING btree (subject, id);
CREATE INDEX audit_by_subject_kind ON staff.audit USING btree (split_part(subject, ':'::text, 1), id);
CREATE INDEX audit_by_time ON staff.audit USING btree (at, id);
CREATE TRIGGER audit_never_changes BEFORE DELETE OR UPDATE ON staff.audit FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER audit_never_truncated BEFORE TRUNCATE ON staff.audit FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table staff.audit_head (
  only_one boolean not null default true,
  id bigint not null,
  hash bytea not null,
  broken_id bigint,
  broken_since timestamptz,
  broken_by_file boolean,
  constraint audit_head_pkey PRIMARY KEY (only_one),
  constraint audit_head_check CHECK ((num_nulls(broken_id, broken_since, broken_by_file) = ANY (ARRAY[0, 3]))),
  constraint audit_head_only_one_check CHECK (only_one)
);
comment on table staff.audit_head is 'One row: the last row of the log, so that a missing end is noticed, and where the log was found broken.';

create table staff.audit_signature (
  audit_id bigint not null,
  key_id text not null,
  mac bytea not null,
  signed_at timestamptz not null default app.now(),
  constraint audit_signature_pkey PRIMARY KEY (audit_id, key_id),
  constraint audit_signature_mac_check CHECK ((octet_length(mac) = 32))
);
comment on table staff.audit_signature is 'A keyed hash of a row of the log, made with a key that is not in the database.';
CREATE TRIGGER audit_signature_never_changes BEFORE DELETE OR UPDATE ON staff.audit_signature FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER audit_signature_never_truncated BEFORE TRUNCATE ON staff.audit_signature FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table staff.member (
  id integer not null generated always as identity,
  name text not null,
  role text not null,
  password_hash text not null,
  encrypted_totp_secret bytea not null,
  totp_key_id text not null,
  totp_time_step bigint not null default 0,
  code_tries integer not null default 0,
  code_tried_at timestamptz,
  enrolled_at timestamptz,
  password_ends_at timestamptz,
  email text,
  alerts text[] not null default '{withdrawal_late,withdrawal_large,second_person,betting_stopped,chain_behind,check_failed}'::text[],
  active boolean not null default true,
  closed_at timestamptz,
  created_at timestamptz not null default app.now(),
  constraint member_pkey PRIMARY KEY (id),
  constraint staff_name_taken UNIQUE (name),
  constraint member_email_check CHECK (((length(email) <= 254) AND (email ~ '^[^[:space:]@]+@[^[:space:]@]+$'::text))),
  constraint member_name_check CHECK ((name ~ '^[a-z][a-z0-9_.-]{1,31}$'::text)),
  constraint member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'finance'::text, 'support'::text, 'editor'::text, 'auditor'::text])))
);
comment on table staff.member is 'The operator''s people.';
comment on column staff.member.password_hash is 'Empty before he is invited, and if he signs in with passkeys alone.';
comment on column staff.member.enrolled_at is 'When he confirmed his TOTP secret by a code, or made a passkey in its place; null until then.';
comment on column staff.member.email is 'Where his first password and his alerts are mailed to.';
CREATE TRIGGER passkeys_voided AFTER UPDATE OF enrolled_at ON staff.member FOR EACH ROW WHEN ((new.enrolled_at IS DISTINCT FROM old.enrolled_at)) EXECUTE FUNCTION staff.void_passkeys();

create table staff.passkey (
  id integer not null generated always as identity,
  staff_id integer not null,
  credential_id bytea not null,
  public_key bytea not null,
  user_handle bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default app.now(),
  used_at timestamptz,
  cloned_at timestamptz,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff.member(id),
  constraint passkey_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
  constraint passkey_name_check CHECK (((name <> ''::text) AND (length(name) <= 40))),
  constraint passkey_sign_count_check CHECK ((sign_count >= 0)),
  constraint passkey_user_handle_check CHECK ((octet_length(user_handle) = 32))
);
comment on table staff.passkey is 'Passkeys of members of staff; each takes the place of password and code.';
CREATE INDEX passkey_of_staff ON staff.passkey USING btree (staff_id, id);

create table staff.passkey_role (
  role text not null,
  constraint passkey_role_pkey PRIMARY KEY (role),
  constraint passkey_role_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'finance'::text, 'support'::text, 'editor'::text, 'auditor'::text])))
);
comment on table staff.passkey_role is 'The roles whose members sign in with a passkey alone.';

create table staff.payment_denial (
  subject text not null,
  staff_id integer not null,
  at timestamptz not null,
  constraint payment_denial_pkey PRIMARY KEY (subject, staff_id),
  constraint payment_denial_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff.member(id)
);
comment on table staff.payment_denial is 'Who gave a payment back, or said that it was not made, or had it before one who did: he does not make it, until it is recorded, or released by a person who said no such thing.';

create table staff.proposal (
  id bigint not null generated always as identity,
  kind text not null,
  subject text not null,
  player_id integer,
  content jsonb not null,
  reason text,
  state text not null default 'proposed'::text,
  proposed_by integer not null,
  proposed_at timestamptz not null,
  first_confirmed_by integer,
  confirmed_by integer,
  confirmed_at timestamptz,
  confirmed_with text,
  alone boolean not null default false,
  ended_by integer,
  ended_at timestamptz,
  end_reason text,
  effective_at timestamptz,
  effective_with text,
  constraint proposal_pkey PRIMARY KEY (id),
  constraint proposal_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES staff.member(id),
  constraint proposal_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES staff.member(id),
  constraint proposal_first_confirmed_by_fkey FOREIGN KEY (first_confirmed_by) REFERENCES staff.member(id),
  constraint proposal_kind_fkey FOREIGN KEY (kind) REFERENCES staff.proposal_kind(kind),
  constraint proposal_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint proposal_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES staff.member(id),
  constraint confirmation_is_whole CHECK ((((confirmed_by IS NULL) = (confirmed_at IS NULL)) AND ((confirmed_by IS NOT NULL) OR (state <> ALL (ARRAY['confirmed'::text, 'effective'::text]))))),
  constraint effect_is_whole CHECK ((((state = 'effective'::text) = (effective_at IS NOT NULL)) AND ((effective_at IS NULL) = (effective_with IS NULL)))),
  constraint end_is_whole CHECK ((((ended_by IS NULL) = (state <> ALL (ARRAY['refused'::text, 'withdrawn'::text]))) AND ((ended_by IS NULL) = (ended_at IS NULL)) AND ((ended_by IS NULL) = (end_reason IS NULL)))),
  constraint proposal_end_reason_check CHECK (((end_reason <> ''::text) AND (length(end_reason) <= 500))),
  constraint proposal_reason_check CHECK (((reason <> ''::text) AND (length(reason) <= 500))),
  constraint proposal_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'confirmed'::text, 'effective'::text, 'refused'::text, 'withdrawn'::text]))),
  constraint reason_given CHECK (((reason IS NOT NULL) OR (kind = 'bank_deposit'::text))),
  constraint three_persons CHECK (((first_confirmed_by <> proposed_by) AND (first_confirmed_by <> confirmed_by))),
  constraint two_persons CHECK (((confirmed_by <> proposed_by) OR alone)),
  constraint withdrawn_by_its_maker CHECK (((ended_by IS NULL) OR ((state = 'withdrawn'::text) = (ended_by = proposed_by))))
);
comment on table staff.proposal is 'Proposals of members of staff, and what other members decided. The content never changes; each kind has its form.';
CREATE INDEX bank_deposit_by_reference ON staff.proposal USING btree (upper(replace(NORMALIZE((content ->> 'reference'::text), NFKC), ' '::text, ''::text))) WHERE (kind = 'bank_deposit'::text);
CREATE INDEX bank_deposit_by_time ON staff.proposal USING btree (proposed_at) WHERE (kind = 'bank_deposit'::text);
CREATE INDEX bank_deposit_confirmed ON staff.proposal USING btree (confirmed_at) WHERE ((kind = 'bank_deposit'::text) AND (state = 'confirmed'::text));
CREATE INDEX bank_deposit_large ON staff.proposal USING btree (proposed_at) WHERE ((kind = 'bank_deposit'::text) AND (((content ->> 'amount'::text))::bigint >= '10000000000'::bigint));
CREATE INDEX bank_deposit_of_player ON staff.proposal USING btree (player_id, proposed_at) WHERE (kind = 'bank_deposit'::text);
CREATE INDEX proposal_by_kind ON staff.proposal USING btree (kind, id);
CREATE INDEX proposal_by_kind_and_state ON staff.proposal USING btree (kind, state, id);
CREATE INDEX proposal_by_proposer ON staff.proposal USING btree (proposed_by, id);
CREATE INDEX proposal_by_state ON staff.proposal USING btree (state, id);
CREATE INDEX proposal_by_subject ON staff.proposal USING btree (subject, id);
CREATE INDEX proposal_decided ON staff.proposal USING btree (COALESCE(ended_at, confirmed_at));
CREATE INDEX proposal_of_player ON staff.proposal USING btree (player_id, id);
CREATE UNIQUE INDEX bank_transfer_once ON staff.proposal USING btree (upper(replace(NORMALIZE((content ->> 'reference'::text), NFKC), ' '::text, ''::text)), COALESCE((content ->> 'other_than'::text), ''::text)) WHERE ((kind = 'bank_deposit'::text) AND (state = ANY (ARRAY['proposed'::text, 'confirmed'::text])));
CREATE TRIGGER proposal_guarded BEFORE UPDATE ON staff.proposal FOR EACH ROW EXECUTE FUNCTION staff.guard_proposal();
CREATE TRIGGER proposal_never_deleted BEFORE DELETE ON staff.proposal FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER proposal_never_truncated BEFORE TRUNCATE ON staff.proposal FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER void_decided_in_time BEFORE INSERT OR UPDATE ON staff.proposal FOR EACH ROW WHEN (((new.kind = 'void'::text) AND (new.state = ANY (ARRAY['proposed'::text, 'confirmed'::text])))) EXECUTE FUNCTION rounds.guard_void();

create table staff.proposal_kind (
  kind text not null,
  proposed_by text[] not null,
  ended_by text[] not null,
  judge text not null,
  effect text,
  several boolean not null,
  confirmed_by text[] not null default '{owner,finance}'::text[],
  constraint proposal_kind_pkey PRIMARY KEY (kind)
);
comment on table staff.proposal_kind is 'What one member of staff proposes and another confirms. Each kind has its functions in the schema of its tables.';

create table staff.recovery_code (
  code_hash bytea not null,
  staff_id integer not null,
  made_at timestamptz not null default app.now(),
  used_at timestamptz,
  constraint recovery_code_pkey PRIMARY KEY (code_hash),
  constraint recovery_code_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff.member(id),
  constraint recovery_code_code_hash_check CHECK ((octet_length(code_hash) = 32))
);
comment on table staff.recovery_code is 'Codes that sign a member in once, in place of a TOTP code; only their hashes.';
CREATE INDEX recovery_code_of_staff ON staff.recovery_code USING btree (staff_id);

create table staff.session (
  token_hash bytea not null,
  id bigint not null generated always as identity,
  staff_id integer not null,
  address text not null,
  created_at timestamptz not null default app.now(),
  seen_at timestamptz not null default app.now(),
  confirmed_at timestamptz not null default app.now(),
  ended_at timestamptz,
  ended_by text,
  proved_at timestamptz,
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_number UNIQUE (id),
  constraint session_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff.member(id),
  constraint session_check CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint session_ended_by_check CHECK ((ended_by = ANY (ARRAY['logout'::text, 'reset'::text, 'inactive'::text, 'colleague'::text])))
);
comment on table staff.session is 'Sessions of staff, by the hash of the token.';
comment on column staff.session.address is 'The network that it was begun from.';
CREATE INDEX session_of_staff ON staff.session USING btree (staff_id) WHERE (ended_at IS NULL);
CREATE INDEX session_of_staff_by_begin ON staff.session USING btree (staff_id, created_at);

create table staff.shift_note (
  id integer not null generated always as identity,
  written_at timestamptz not null default app.now(),
  written_by integer not null,
  text text not null,
  constraint shift_note_pkey PRIMARY KEY (id),
  constraint shift_note_written_by_fkey FOREIGN KEY (written_by) REFERENCES staff.member(id),
  constraint shift_note_text_check CHECK (((text <> ''::text) AND (length(text) <= 500)))
);
comment on table staff.shift_note is 'What one shift leaves to the next; notes are not changed.';
CREATE TRIGGER shift_note_never_changes BEFORE DELETE OR UPDATE ON staff.shift_note FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

create table staff.taken_payment (
  subject text not null,
  taken_by integer not null,
  taken_at timestamptz not null,
  had_by integer[] not null default '{}'::integer[],
  constraint taken_payment_pkey PRIMARY KEY (subject),
  constraint taken_payment_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES staff.member(id)
);
comment on table staff.taken_payment is 'Who makes a payment outside of the product: it is recorded by him alone, until he gives it back or another takes it over.';

create table staff.webhook (
  id integer not null generated always as identity,
  url text not null,
  kinds text[] not null,
  salt bytea not null,
  key_id text not null,
  made_by integer not null,
  made_at timestamptz not null default app.now(),
  failed_since timestamptz,
  failure text,
  ended_at timestamptz,
  constraint webhook_pkey PRIMARY KEY (id),
  constraint webhook_made_by_fkey FOREIGN KEY (made_by) REFERENCES staff.member(id),
  constraint failure_is_whole CHECK (((failed_since IS NULL) = (failure IS NULL))),
  constraint webhook_kinds_check CHECK ((cardinality(kinds) > 0)),
  constraint webhook_salt_check CHECK ((octet_length(salt) = 16)),
  constraint webhook_url_check CHECK ((length(url) <= 500))
);
comment on table staff.webhook is 'Receivers of alerts: each gets a signed POST.';
CREATE INDEX webhook_open ON staff.webhook USING btree (id) WHERE (ended_at IS NULL);

-- Functions, written in functions/staff.sql:
--   staff.acting_alone(session_token text, VARIADIC roles text[]) returns integer
--   staff.acting(session_token text, VARIADIC roles text[]) returns integer
--   staff.add_passkey(of_credential bytea, of_key bytea, of_handle bytea, of_count bigint, of_transports text[], of_name text, greatest_number integer, by_session text) returns text [owner] [api]
--   staff.add_webhook(url text, kinds text[], salt bytea, key_id text, by_session text) returns integer [owner] [api]
--   staff.audit_action(by_session text, action text, subject text, details jsonb) returns bigint [owner] [api]
--   staff.audit_break() returns bigint [owner] [jobs]
--   staff.audit_check(after_id bigint, after_hash bytea, at_most integer) returns TABLE(broken_id bigint, last_id bigint, last_hash bytea, is_end boolean) [owner] [api] [jobs]
--   staff.audit_failed_sign_in(of_name text, address text) returns void [owner] [api]
--   staff.audit_hash(id bigint, at timestamptz, staff_id integer, action text, subject text, details jsonb, previous_hash bytea, session_id bigint) returns bytea
--   staff.begin_enrolment(of_staff integer, checked_hash text, new_encrypted_totp_secret bytea, new_totp_key_id text, address text) returns boolean [owner] [api]
--   staff.begin_session(of_token_hash bytea, of_staff integer, address text) returns void [owner] [api]
--   staff.change_own(new_password_hash text, new_email text, by_session text) returns text [owner] [api]
--   staff.choose_alerts(chosen text[], by_session text) returns void [owner] [api]
--   staff.close_colleague(of_name text, by_session text) returns text [owner] [api]
--   staff.close_member(of_name text, closed_by text) returns boolean [owner] [api]
--   staff.confirm_enrolment(of_staff integer, checked_hash text, checked_secret bytea, step bigint, new_password_hash text, code_hashes bytea[], address text) returns boolean [owner] [api]
--   staff.decide(of_proposal bigint, confirms boolean, words text, by_session text) returns text [owner] [api]
--   staff.deny_payment(about text, denier integer, taken staff.taken_payment DEFAULT NULL::staff.taken_payment) returns void
--   staff.end_colleague_session(of_session bigint, by_session text) returns text [owner] [api]
--   staff.end_own_session(of_session bigint, by_session text) returns text [owner] [api]
--   staff.end_payment(about text) returns void
--   staff.end_session(of_token_hash bytea, address text) returns boolean [owner] [api]
--   staff.enrol_by_passkey(of_staff integer, checked_hash text, of_credential bytea, of_key bytea, of_handle bytea, of_count bigint, of_transports text[], of_name text, address text) returns boolean [owner] [api]
--   staff.freeze_player(of_player integer, why text, by_session text) returns text [owner] [api]
--   staff.give_payment_back(about text, giver integer) returns text
--   staff.guard_proposal() returns trigger
--   staff.has_denied(about text, member integer) returns boolean
--   staff.is_address_of_another(address text, of_name text) returns boolean
--   staff.is_denied(about text) returns boolean [api]
--   staff.is_only_owner(of_staff integer) returns boolean [api]
--   staff.is_proposed(about text) returns boolean [api]
--   staff.judge_member(proposal staff.proposal, by_role text) returns text
--   staff.make_member(name text, role text, password_hash text, encrypted_totp_secret bytea, totp_key_id text, made_by text, enrolled boolean) returns integer [owner] [api]
--   staff.note_confirmation(by_session text) returns void [owner] [api]
--   staff.note_proof(of_token_hash bytea, checked_hash text) returns boolean [owner] [api]
--   staff.payer_of(about text) returns integer
--   staff.propose(of_kind text, about text, content jsonb, why text, by_session text) returns TABLE(answer text, proposal_id bigint) [owner] [api]
--   staff.put_member(proposal staff.proposal) returns void
--   staff.release_payment(about text, member integer) returns text
--   staff.remove_passkey(of_passkey integer, by_session text) returns text [owner] [api]
--   staff.remove_webhook(of_webhook integer, by_session text) returns text [owner] [api]
--   staff.renew_recovery_codes(code_hashes bytea[], by_session text) returns text [owner] [api]
--   staff.require_confirmation(by_session text, minutes integer) returns void [owner] [api]
--   staff.require_passkey(of_role text, required boolean, by_session text) returns text [owner] [api]
--   staff.reset_colleague(of_name text, new_password_hash text, new_encrypted_totp_secret bytea, new_totp_key_id text, by_session text) returns text [owner] [api]
--   staff.reset_member(of_name text, new_role text, new_password_hash text, new_encrypted_totp_secret bytea, new_totp_key_id text, reset_by text, enrolled boolean) returns text [owner] [api]
--   staff.sign_audit(of_row bigint, of_hash bytea, with_mac bytea, with_key text) returns boolean [owner] [jobs]
--   staff.take_payment(about text, taker integer, taken_from text) returns text
--   staff.taker_of(about text) returns integer
--   staff.unfreeze_player(of_player integer, why text, by_session text) returns text [owner] [api]
--   staff.use_passkey(of_passkey integer, new_count bigint, address text) returns text [owner] [api]
--   staff.use_proof(session_token text) returns boolean
--   staff.use_recovery_code(of_staff integer, checked_hash text, of_code_hash bytea, address text) returns boolean [owner] [api]
--   staff.void_passkeys() returns trigger [owner]
--   staff.why_not_taken(taker integer) returns text
--   staff.write_audit(staff_id integer, session_id bigint, action text, subject text, details jsonb) returns bigint
--   staff.write_shift_note(note text, by_session text) returns integer [owner] [api]

grant delete, insert, select, update on staff.alert to sum28_jobs;
grant select on staff.alert_delivery to sum28_api;
grant delete, insert, select, update on staff.alert_delivery to sum28_jobs;
grant select on staff.audit to sum28_api;
grant select on staff.audit to sum28_jobs;
grant select (broken_by_file, broken_id, broken_since) on staff.audit_head to sum28_api;
grant select (broken_by_file, broken_id, broken_since) on staff.audit_head to sum28_jobs;
grant update (broken_by_file, broken_id, broken_since) on staff.audit_head to sum28_jobs;
grant select on staff.audit_signature to sum28_api;
grant select on staff.audit_signature to sum28_jobs;
grant select on staff.member to sum28_api;
grant update (code_tried_at, code_tries, totp_time_step) on staff.member to sum28_api;
grant select (active, alerts, code_tried_at, code_tries, created_at, email, encrypted_totp_secret, enrolled_at, id, name, role, totp_key_id) on staff.member to sum28_jobs;
grant update (encrypted_totp_secret, totp_key_id) on staff.member to sum28_jobs;
grant select on staff.passkey to sum28_api;
grant select on staff.passkey_role to sum28_api;
grant select on staff.payment_denial to sum28_api;
grant select on staff.payment_denial to sum28_jobs;
grant select on staff.proposal to sum28_api;
grant select on staff.proposal to sum28_jobs;
grant select on staff.recovery_code to sum28_api;
grant select on staff.session to sum28_api;
grant update (seen_at) on staff.session to sum28_api;
grant select on staff.shift_note to sum28_api;
grant select on staff.taken_payment to sum28_api;
grant select on staff.taken_payment to sum28_jobs;
grant select on staff.webhook to sum28_api;
grant select on staff.webhook to sum28_jobs;
grant update (ended_at, failed_since, failure) on staff.webhook to sum28_jobs;

-- inbox ===========================================================================================

create table inbox.message (
  player_id integer not null,
  id bigint not null generated always as identity,
  kind text not null,
  facts jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default app.now(),
  read_at timestamptz,
  constraint message_pkey PRIMARY KEY (player_id, id),
  constraint message_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table inbox.message is 'Messages to players inside the app, without their text: it is made when it is read.';
CREATE INDEX message_by_age ON inbox.message USING btree (created_at);
CREATE INDEX message_unread ON inbox.message USING btree (player_id) WHERE (read_at IS NULL);

create table inbox.push_choice (
  player_id integer not null,
  topics text[] not null,
  amounts boolean not null default false,
  constraint push_choice_pkey PRIMARY KEY (player_id),
  constraint push_choice_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint push_choice_topics_check CHECK ((topics <@ '{deposit,withdrawal,sign_in,support}'::text[]))
);
comment on table inbox.push_choice is 'What players want to be told of on their devices.';

create table inbox.push_key (
  id integer not null default 1,
  public_key text not null,
  encrypted_private_key bytea not null,
  key_id text not null,
  constraint push_key_pkey PRIMARY KEY (id),
  constraint push_key_id_check CHECK ((id = 1))
);
comment on table inbox.push_key is 'The one key by which push services know the sender (VAPID, RFC 8292), made at the first start.';

create table inbox.push_subscription (
  id bigint not null generated always as identity,
  player_id integer not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  session_hash bytea not null,
  device_family uuid,
  silent_until timestamptz,
  created_at timestamptz not null default app.now(),
  constraint push_subscription_pkey PRIMARY KEY (id),
  constraint push_subscription_endpoint_key UNIQUE (endpoint),
  constraint push_subscription_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint push_subscription_endpoint_check CHECK ((length(endpoint) <= 1000))
);
comment on table inbox.push_subscription is 'Browsers that take messages while the app is closed (Push API).';
CREATE INDEX push_subscription_of_player ON inbox.push_subscription USING btree (player_id, id);

grant insert, select on inbox.message to sum28_api;
grant delete, insert, select on inbox.message to sum28_jobs;
grant update (read_at) on inbox.message to sum28_api;
grant update (created_at) on inbox.message to sum28_jobs;
grant insert, select, update on inbox.push_choice to sum28_api;
grant select on inbox.push_choice to sum28_jobs;
grant insert, select on inbox.push_key to sum28_api;
grant select on inbox.push_key to sum28_jobs;
grant update (encrypted_private_key, key_id) on inbox.push_key to sum28_jobs;
grant delete, insert, select, update on inbox.push_subscription to sum28_api;
grant delete, select on inbox.push_subscription to sum28_jobs;
grant update (silent_until) on inbox.push_subscription to sum28_jobs;

-- wallet ==========================================================================================

create type wallet.movement as (
  player_id integer,
  booked_on date,
  amount bigint,
  reference text
);
comment on type wallet.movement is 'An amount of a player''s money to be moved, the day that it counts for, and what caused it.';

create table wallet.adjustment_limit (
  role text not null,
  amount_max bigint not null,
  constraint adjustment_limit_pkey PRIMARY KEY (role),
  constraint adjustment_limit_amount_max_check CHECK ((amount_max >= 0)),
  constraint adjustment_limit_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'finance'::text, 'support'::text])))
);
comment on table wallet.adjustment_limit is 'How much a role may propose or confirm for one player within 24 hours. Written by the owner at each start.';
comment on column wallet.adjustment_limit.amount_max is 'Micro-units.';

-- Functions, written in functions/wallet.sql:
--   wallet.move(kind text, movements wallet.movement[]) returns TABLE(player_id integer, cash_after bigint, posting_id bigint)
--   wallet.open_with_account() returns trigger [owner]

grant select on wallet.adjustment_limit to sum28_application;

-- protection ======================================================================================

create table protection.change (
  player_id integer not null,
  id bigint not null generated always as identity,
  at timestamptz not null,
  what text not null,
  details jsonb not null,
  constraint change_pkey PRIMARY KEY (player_id, id)
);
comment on table protection.change is 'Each player''s own log of what changed in his protection.';
CREATE INDEX change_by_time ON protection.change USING btree (at) WHERE (what = 'limit_raised'::text);
CREATE INDEX change_of_limits ON protection.change USING btree (at) WHERE (what = ANY (ARRAY['limit_lowered'::text, 'limit_raise_asked'::text, 'limit_raised'::text, 'limit_same'::text]));
CREATE TRIGGER change_never_changes BEFORE UPDATE ON protection.change FOR EACH ROW WHEN ((((((old.player_id IS DISTINCT FROM new.player_id) OR (old.id IS DISTINCT FROM new.id)) OR (old.at IS DISTINCT FROM new.at)) OR (old.what IS DISTINCT FROM new.what)) OR ((old.details - '{name,born}'::text[]) IS DISTINCT FROM new.details))) EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER change_never_deleted BEFORE DELETE ON protection.change FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER change_never_truncated BEFORE TRUNCATE ON protection.change FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table protection.exclusion (
  id bigint not null generated always as identity,
  player_id integer not null,
  kind text not null,
  began_at timestamptz not null,
  ends_at timestamptz,
  end_requested_at timestamptz,
  shared_from integer,
  like_player integer,
  like_in text,
  decided_by integer,
  decided_at timestamptz,
  holds boolean not null default false,
  decision text,
  decide_reason text,
  constraint exclusion_pkey PRIMARY KEY (id),
  constraint decided_is_whole CHECK ((((decided_at IS NULL) = (decided_by IS NULL)) AND ((decided_at IS NULL) = (decision IS NULL)) AND ((decided_at IS NULL) = (decide_reason IS NULL)))),
  constraint exclusion_check CHECK ((ends_at > began_at)),
  constraint exclusion_decision_check CHECK ((decision = ANY (ARRAY['released'::text, 'confirmed'::text]))),
  constraint exclusion_kind_check CHECK ((kind = ANY (ARRAY['time_out'::text, 'self_exclusion'::text, 'likeness'::text]))),
  constraint exclusion_like_in_check CHECK ((like_in = ANY (ARRAY['email'::text, 'document'::text, 'wallet'::text, 'card'::text, 'device'::text, 'person'::text]))),
  constraint likeness_is_whole CHECK (((kind <> 'likeness'::text) OR ((like_player IS NOT NULL) AND (like_in IS NOT NULL))))
);
comment on table protection.exclusion is 'Time-outs, self-exclusions, and accounts held since they look like an excluded player''s.';
CREATE INDEX exclusion_by_begin ON protection.exclusion USING btree (kind, began_at);
CREATE INDEX exclusion_by_return ON protection.exclusion USING btree (end_requested_at) WHERE (end_requested_at IS NOT NULL);
CREATE INDEX exclusion_of_player ON protection.exclusion USING btree (player_id, id);
CREATE INDEX likeness_by_decision ON protection.exclusion USING btree (decision, id) WHERE ((kind = 'likeness'::text) AND (decision IS NOT NULL));
CREATE INDEX likeness_by_id ON protection.exclusion USING btree (id) WHERE (kind = 'likeness'::text);
CREATE INDEX likeness_of_other ON protection.exclusion USING btree (like_player, id) WHERE (kind = 'likeness'::text);
CREATE INDEX likeness_open ON protection.exclusion USING btree (id) WHERE ((kind = 'likeness'::text) AND (decided_at IS NULL));
CREATE UNIQUE INDEX likeness_once ON protection.exclusion USING btree (player_id, like_player, like_in) WHERE ((kind = 'likeness'::text) AND (decided_at IS NULL));

create table protection.held_deposit (
  id bigint not null generated always as identity,
  player_id integer not null,
  amount bigint not null,
  reference text not null,
  from_address text,
  because text not null,
  for_staff boolean not null default false,
  asked_back_at timestamptz,
  held_at timestamptz not null,
  state text not null default 'held'::text,
  decided_by integer,
  decided_at timestamptz,
  refund_reference text,
  refund_key text,
  refund_to text,
  refund_chain text,
  refund_returned_by integer,
  constraint held_deposit_pkey PRIMARY KEY (id),
  constraint held_deposit_reference_key UNIQUE (reference),
  constraint held_deposit_amount_check CHECK ((amount > 0)),
  constraint held_deposit_because_check CHECK ((because = ANY (ARRAY['limit'::text, 'excluded'::text, 'review'::text]))),
  constraint held_deposit_check CHECK (((state = 'held'::text) = (decided_at IS NULL))),
  constraint held_deposit_refund_chain_check CHECK ((refund_chain = ANY (ARRAY['awaited'::text, 'seen'::text, 'wrong'::text]))),
  constraint held_deposit_state_check CHECK ((state = ANY (ARRAY['held'::text, 'released'::text, 'refunded'::text]))),
  constraint refunded_is_complete CHECK ((((state = 'refunded'::text) = (refund_reference IS NOT NULL)) AND ((state = 'refunded'::text) = (refund_key IS NOT NULL)) AND ((state = 'refunded'::text) = (decided_by IS NOT NULL)) AND ((refund_chain IS NOT NULL) = ((state = 'refunded'::text) AND (from_address IS NOT NULL))) AND ((refund_to IS NULL) OR (refund_chain IS NOT NULL)) AND ((refund_returned_by IS NULL) OR ((state = 'refunded'::text) AND (from_address IS NULL)))))
);
comment on table protection.held_deposit is 'Deposits that came against a limit or an exclusion: held until they are released or paid back.';
CREATE INDEX held_deposit_by_decision ON protection.held_deposit USING btree (decided_at) WHERE (state = 'released'::text);
CREATE INDEX held_deposit_by_state ON protection.held_deposit USING btree (state, id);
CREATE INDEX held_deposit_decided ON protection.held_deposit USING btree (decided_at);
CREATE INDEX held_deposit_for_staff ON protection.held_deposit USING btree (id) WHERE ((state = 'held'::text) AND for_staff);
CREATE INDEX held_deposit_of_player ON protection.held_deposit USING btree (player_id, id);
CREATE INDEX held_deposit_open ON protection.held_deposit USING btree (id) WHERE (state = 'held'::text);
CREATE INDEX held_refund_awaited ON protection.held_deposit USING btree (id) WHERE (refund_chain = 'awaited'::text);
CREATE INDEX held_refund_wrong ON protection.held_deposit USING btree (id) WHERE ((refund_chain = 'wrong'::text) OR (refund_returned_by IS NOT NULL));
CREATE UNIQUE INDEX refund_reference_once ON protection.held_deposit USING btree (refund_key);
CREATE TRIGGER held_deposit_guarded BEFORE UPDATE ON protection.held_deposit FOR EACH ROW EXECUTE FUNCTION protection.guard_held_deposit();
CREATE TRIGGER held_deposit_never_deleted BEFORE DELETE ON protection.held_deposit FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER held_deposit_never_truncated BEFORE TRUNCATE ON protection.held_deposit FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table protection.house (
  only_one boolean not null default true,
  time_zone text not null,
  session_break interval not null,
  check_every_default interval not null,
  constraint house_pkey PRIMARY KEY (only_one),
  constraint house_only_one_check CHECK (only_one)
);
comment on table protection.house is 'One row: the operator''s time zone and the times of the reality check. The owner writes it at each start.';

create table protection.house_limit (
  source text not null,
  kind text not null,
  period text not null,
  amount bigint not null,
  constraint house_limit_pkey PRIMARY KEY (source, kind, period),
  constraint house_limit_amount_check CHECK ((amount >= 0)),
  constraint house_limit_kind_check CHECK ((kind = ANY (ARRAY['deposit'::text, 'loss'::text, 'stake'::text]))),
  constraint house_limit_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text]))),
  constraint house_limit_source_check CHECK ((source = ANY (ARRAY['operator'::text, 'law'::text])))
);
comment on table protection.house_limit is 'Limits that bind every player, in micro-units, as configured. The owner writes them at each start.';

create table protection.mark (
  player_id integer not null,
  kind text not null,
  hash bytea not null,
  key_id text not null,
  noted_at timestamptz not null,
  counts boolean not null default false,
  constraint mark_pkey PRIMARY KEY (player_id, kind, hash),
  constraint mark_hash_check CHECK ((octet_length(hash) = 32)),
  constraint mark_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'document'::text, 'wallet'::text, 'card'::text, 'device'::text, 'person'::text])))
);
comment on table protection.mark is 'What an account is recognised by: keyed hashes of mailbox, document, wallet, card, device and person.';
CREATE INDEX mark_by_hash ON protection.mark USING btree (kind, hash);

create table protection.player (
  player_id integer not null,
  starts date[] not null default '{-infinity,-infinity,-infinity}'::date[],
  staked bigint[] not null default '{0,0,0}'::bigint[],
  paid_out bigint[] not null default '{0,0,0}'::bigint[],
  deposited bigint[] not null default '{0,0,0}'::bigint[],
  session_began_at timestamptz,
  session_active_at timestamptz,
  session_staked bigint not null default 0,
  session_paid_out bigint not null default 0,
  checked_at timestamptz,
  check_every interval,
  excluded_until timestamptz,
  under_review boolean not null default false,
  said_under_age_at timestamptz,
  marked_with text,
  constraint player_pkey PRIMARY KEY (player_id),
  constraint player_check_every_check CHECK (((check_every >= '00:15:00'::interval) AND (check_every <= '04:00:00'::interval))),
  constraint player_deposited_check CHECK ((cardinality(deposited) = 3)),
  constraint player_paid_out_check CHECK ((cardinality(paid_out) = 3)),
  constraint player_staked_check CHECK ((cardinality(staked) = 3)),
  constraint player_starts_check CHECK ((cardinality(starts) = 3))
);
comment on table protection.player is 'One row for each person: sums of the running periods, the session of play, and an exclusion.';
CREATE INDEX player_by_mark ON protection.player USING btree (marked_with, player_id);

create table protection.player_limit (
  player_id integer not null,
  kind text not null,
  period text not null,
  amount bigint,
  set_at timestamptz not null,
  raise_asked_at timestamptz,
  raise_amount bigint,
  raise_told_for timestamptz,
  constraint player_limit_pkey PRIMARY KEY (player_id, kind, period),
  constraint player_limit_amount_check CHECK ((amount >= 0)),
  constraint player_limit_check CHECK ((raise_amount > amount)),
  constraint player_limit_check1 CHECK (((raise_amount IS NULL) OR (raise_asked_at IS NOT NULL))),
  constraint player_limit_kind_check CHECK ((kind = ANY (ARRAY['deposit'::text, 'loss'::text, 'stake'::text]))),
  constraint player_limit_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
);
comment on table protection.player_limit is 'Limits that players set for themselves.';
CREATE INDEX player_limit_raise ON protection.player_limit USING btree (raise_asked_at) WHERE (raise_asked_at IS NOT NULL);

-- Functions, written in functions/protection.sql:
--   protection.acknowledge_check(of_player integer) returns boolean [owner] [api]
--   protection.ask_back(of_player integer, deposit bigint) returns text [owner] [api]
--   protection.begin_of(day date) returns timestamptz
--   protection.begin_review(of_player integer, others integer[], kinds text[], moment timestamptz) returns void
--   protection.break_ends(of_player integer) returns timestamptz
--   protection.check_due_at(protection_row protection.player, moment timestamptz, house protection.house) returns timestamptz
--   protection.confirm_raise(of_player integer, of_kind text, of_period text) returns text [owner] [api]
--   protection.count_deposits(movements wallet.movement[], moment timestamptz) returns void
--   protection.count_settled(players integer[], accepted timestamptz[], refunded bigint[], paid bigint[]) returns void
--   protection.count_stakes(players integer[], totals bigint[], moment timestamptz) returns void
--   protection.credit_deposits(movements wallet.movement[], origins text[]) returns TABLE(player_id integer, reference text)
--   protection.day_of(moment timestamptz) returns date
--   protection.decide_likeness(of_likeness bigint, confirms boolean, why text, by_session text, again boolean DEFAULT false) returns text [owner] [api]
--   protection.each_more(sums bigint[], amount bigint) returns bigint[]
--   protection.end_of(period text, began date) returns timestamptz
--   protection.end_wait() returns interval [api]
--   protection.exclude(of_player integer, of_kind text, lasting interval) returns text [owner] [api]
--   protection.exclusion_facts(until timestamptz) returns jsonb
--   protection.find_alike(of_player integer, moment timestamptz) returns void
--   protection.goes_on_until(of_break protection.exclusion) returns timestamptz
--   protection.guard_held_deposit() returns trigger
--   protection.hears_no_advertising(of_player integer) returns boolean [api] [jobs]
--   protection.hold_under_age_again(of_player integer) returns void
--   protection.hold_under_age(of_player integer, born_in integer) returns void
--   protection.in_session(protection_row protection.player, moment timestamptz, house protection.house) returns boolean
--   protection.is_bound(of_player integer, moment timestamptz) returns boolean
--   protection.is_decided(of_player integer, other_player integer, in_kind text) returns boolean
--   protection.is_kept_out(of_player integer, amount bigint, moment timestamptz) returns boolean
--   protection.judge_stakes(players integer[], totals bigint[], moment timestamptz) returns TABLE(player_id integer, reason text, facts jsonb)
--   protection.later_starts(began date[], now_begin date[]) returns date[]
--   protection.limit_exceeded(of_player integer, kinds text[], more bigint, starts_now date[]) returns jsonb
--   protection.limits_now(of_player integer) returns TABLE(kind text, period text, own_amount bigint, amount bigint, source text, used bigint, begins_anew_at timestamptz, raise_asked_at timestamptz, raise_amount bigint) [owner] [api]
--   protection.limits_of(of_player integer) returns TABLE(source text, kind text, period text, amount bigint)
--   protection.limits_passed(of_player integer, kinds text[], more bigint, starts_now date[]) returns TABLE(kind text, period text, amount bigint, spent bigint, began date, period_index integer)
--   protection.lock_player(of_player integer) returns protection.player [owner] [jobs]
--   protection.lock_players(players integer[]) returns void
--   protection.log_change(of_player integer, moment timestamptz, what text, details jsonb) returns void
--   protection.log_sign_in_change(of_player integer, what text, name text) returns void [owner] [api]
--   protection.needs_review(of_row protection.player) returns boolean
--   protection.next_number_at(of_player integer, moment timestamptz) returns timestamptz
--   protection.note_earlier_marks(players integer[], kinds text[], hashes bytea[], with_key text) returns void [owner] [jobs]
--   protection.note_mark(of_player integer, of_kind text, hashes bytea[], with_key text, OUT is_new boolean, OUT may_at timestamptz) returns record [owner] [api]
--   protection.open_with_account() returns trigger [owner]
--   protection.raise_open_for() returns interval
--   protection.raise_wait() returns interval
--   protection.release_deposits(deposits_max integer, on_day date) returns TABLE(player_id integer, amount bigint) [owner] [jobs]
--   protection.release_under_age(of_player integer) returns void
--   protection.request_end(of_player integer) returns text [owner] [api]
--   protection.review_alike(of_player integer, of_kind text, hashes bytea[], moment timestamptz) returns void
--   protection.review_return(of_player integer, moment timestamptz) returns void
--   protection.same_person_as(of_player integer) returns integer[]
--   protection.seconds_of(moment timestamptz) returns text
--   protection.session_facts(protection_row protection.player, moment timestamptz) returns jsonb
--   protection.set_check(of_player integer, every interval) returns text [owner] [api]
--   protection.set_limit(of_player integer, of_kind text, of_period text, wanted bigint) returns text [owner] [api]
--   protection.set_marked(players integer[], with_key text) returns void [owner] [jobs]
--   protection.share_exclusion(of_player integer, from_player integer, moment timestamptz) returns boolean
--   protection.spent(of_kind text, period_index integer, staked bigint[], paid_out bigint[], deposited bigint[]) returns bigint
--   protection.standing_now(of_player integer) returns TABLE(check_minutes integer, began_at timestamptz, staked bigint, won bigint, check_at timestamptz, excluded_by text, excluded_until timestamptz, may_ask_from timestamptz) [owner] [api]
--   protection.starts_at(moment timestamptz) returns date[]
--   protection.sums_now(sums bigint[], began date[], now_begin date[]) returns bigint[]
--   protection.sums_plus(sums bigint[], more numeric[], sign integer) returns bigint[]
--   protection.take_possible_raises(rows_max integer) returns TABLE(player_id integer, kind text, period text) [owner] [jobs]
--   protection.unshare_exclusions(of_player integer, confirmed protection.exclusion) returns void
--   protection.why_held(of_player integer, amount bigint, moment timestamptz) returns text

grant select on protection.change to sum28_api;
grant select on protection.change to sum28_jobs;
grant select on protection.exclusion to sum28_api;
grant select on protection.exclusion to sum28_jobs;
grant select on protection.held_deposit to sum28_api;
grant select on protection.held_deposit to sum28_jobs;
grant select on protection.house to sum28_application;
grant select on protection.house_limit to sum28_application;
grant select on protection.mark to sum28_api;
grant select on protection.mark to sum28_jobs;
grant select on protection.player to sum28_api;
grant select on protection.player to sum28_jobs;
grant select on protection.player_limit to sum28_api;
grant select on protection.player_limit to sum28_jobs;

-- games ===========================================================================================

create table games.game (
  id smallint not null,
  name text not null,
  stopped boolean not null default false,
  changes bigint not null default 0,
  constraint game_pkey PRIMARY KEY (id),
  constraint game_name_key UNIQUE (name)
);
comment on table games.game is 'The four games.';
CREATE TRIGGER game_counts_changes BEFORE UPDATE ON games.game FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION games.count_change();

create table games.house (
  singleton boolean not null default true,
  stopped boolean not null default false,
  clocks_apart_since timestamptz,
  clocks_compared_at timestamptz default '-infinity'::timestamptz,
  beacon_seen bigint,
  beacon_seen_chain text,
  payout_max bigint not null default '1000000000000'::bigint,
  changes bigint not null default 0,
  constraint house_pkey PRIMARY KEY (singleton),
  constraint house_beacon_seen_check CHECK ((beacon_seen > 0)),
  constraint house_singleton_check CHECK (singleton),
  constraint payout_max_positive CHECK ((payout_max > 0))
);
comment on table games.house is 'One row: what holds for all games.';
comment on column games.house.clocks_apart_since is 'Since when the clocks of database and beacon disagree, which stops all betting; null while they agree.';
comment on column games.house.clocks_compared_at is 'When the comparison of the two began that last found that they agree, or when one found that they do not. Null in the databases of tests, where none is needed.';
comment on column games.house.payout_max is 'The most that all bets of a player in one round may pay together, in micro-units.';
comment on column games.house.changes is 'Counts the stops and openings of all betting, as room.changes does for a room.';
CREATE TRIGGER house_counts_changes BEFORE UPDATE OF stopped, clocks_apart_since ON games.house FOR EACH ROW WHEN (((old.stopped IS DISTINCT FROM new.stopped) OR ((old.clocks_apart_since IS NULL) IS DISTINCT FROM (new.clocks_apart_since IS NULL)))) EXECUTE FUNCTION games.count_change();

create table games.odds (
  room_id integer not null,
  rule_id smallint not null,
  odds_milli integer not null,
  constraint odds_pkey PRIMARY KEY (room_id, rule_id),
  constraint odds_room_id_fkey FOREIGN KEY (room_id) REFERENCES games.room(id),
  constraint odds_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES games.rule(id),
  constraint odds_odds_milli_check CHECK ((odds_milli > 0))
);
comment on table games.odds is 'Decimal odds of a room in thousandths.';
CREATE TRIGGER odds_return BEFORE INSERT OR UPDATE ON games.odds FOR EACH ROW EXECUTE FUNCTION games.check_return();

create table games.planned_stop (
  id integer not null generated always as identity,
  scope text not null,
  subject_id integer not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  told text not null,
  planned_by integer not null,
  planned_at timestamptz not null,
  state text not null default 'planned'::text,
  constraint planned_stop_pkey PRIMARY KEY (id),
  constraint planned_stop_planned_by_fkey FOREIGN KEY (planned_by) REFERENCES staff.member(id),
  constraint planned_stop_check CHECK (((scope = 'all'::text) = (subject_id = 0))),
  constraint planned_stop_check1 CHECK ((ends_at > begins_at)),
  constraint planned_stop_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'game'::text, 'room'::text]))),
  constraint planned_stop_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'begun'::text, 'over'::text]))),
  constraint planned_stop_told_check CHECK (((told <> ''::text) AND (length(told) <= 200)))
);
comment on table games.planned_stop is 'Stops of betting from a time until another, and what players are told of them.';
CREATE INDEX planned_stop_not_over ON games.planned_stop USING btree (begins_at, id) WHERE (state <> 'over'::text);

create table games.room (
  id integer not null,
  game_id smallint not null,
  title text not null,
  type smallint not null,
  stake_min bigint not null,
  stake_max bigint not null,
  entry_min bigint not null,
  robots smallint not null default 0,
  stopped boolean not null default false,
  rules_version integer not null default 1,
  changes bigint not null default 0,
  constraint room_pkey PRIMARY KEY (id),
  constraint room_game_id_fkey FOREIGN KEY (game_id) REFERENCES games.game(id),
  constraint room_check CHECK ((stake_max >= stake_min)),
  constraint room_entry_min_check CHECK ((entry_min >= 0)),
  constraint room_robots_check CHECK (((robots >= 0) AND (robots <= 50))),
  constraint room_stake_min_check CHECK ((stake_min > 0)),
  constraint room_type_check CHECK (((type >= 0) AND (type <= 3)))
);
comment on table games.room is 'A table of a game with its limits, in micro-units.';
comment on column games.room.type is '0 basic, 1 senior, 2 master, 3 expert.';
comment on column games.room.rules_version is 'Counts the changes of the room''s odds and limits; stored in each bet.';
comment on column games.room.changes is 'Counts all changes of the row: the greater one of two answers about a room is the later.';
CREATE TRIGGER room_counts_changes BEFORE UPDATE ON games.room FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION games.count_change();
CREATE TRIGGER room_never_deleted BEFORE DELETE OR UPDATE OF id, game_id ON games.room FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER room_never_truncated BEFORE TRUNCATE ON games.room FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table games.rule (
  id smallint not null,
  outcome text not null,
  ways smallint not null,
  constraint rule_pkey PRIMARY KEY (id),
  constraint rule_outcome_key UNIQUE (outcome),
  constraint rule_ways_check CHECK (((ways >= 1) AND (ways <= 1000)))
);
comment on table games.rule is 'The 36 outcomes, and how many of the 1,000 draws hit each.';

create table games.stop (
  id integer not null generated always as identity,
  scope text not null,
  subject_id integer not null,
  reason text not null,
  note text,
  stopped_by integer not null,
  stopped_at timestamptz not null,
  planned_stop integer,
  constraint stop_pkey PRIMARY KEY (scope, subject_id),
  constraint stop_planned_stop_fkey FOREIGN KEY (planned_stop) REFERENCES games.planned_stop(id),
  constraint stop_stopped_by_fkey FOREIGN KEY (stopped_by) REFERENCES staff.member(id),
  constraint stop_check CHECK (((scope = 'all'::text) = (subject_id = 0))),
  constraint stop_check1 CHECK (((reason <> 'other'::text) OR (note IS NOT NULL))),
  constraint stop_reason_check CHECK ((reason = ANY (ARRAY['maintenance'::text, 'fault'::text, 'investigation'::text, 'other'::text]))),
  constraint stop_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'game'::text, 'room'::text])))
);
comment on table games.stop is 'Why something is stopped, by whom and since when; a row while it is.';

-- Functions, written in functions/games.sql:
--   games.cancel_planned_stop(of_plan integer, by_session text) returns text [owner] [api]
--   games.check_odds(of_rule smallint, odds_milli integer) returns void
--   games.check_return() returns trigger
--   games.clocks_apart(house games.house) returns boolean [application]
--   games.count_change() returns trigger
--   games.keep_planned_stops() returns SETOF smallint [owner] [engine]
--   games.open_betting(of_scope text, of_id integer, seen integer, by_session text) returns text [owner] [api]
--   games.plan_stop(of_scope text, of_id integer, begins timestamptz, ends timestamptz, told text, by_session text) returns integer [owner] [api]
--   games.set_clocks_apart(apart boolean, seen bigint DEFAULT NULL::bigint, seen_chain text DEFAULT NULL::text, began timestamptz DEFAULT clock_timestamp()) returns boolean [owner] [engine]
--   games.set_stopped(of_scope text, of_id integer, is_stopped boolean) returns boolean
--   games.stop_betting(of_scope text, of_id integer, why text, more text, by_session text) returns boolean [owner] [api]
--   games.winning_rules(total integer) returns smallint[] [jobs]

grant select on games.game to sum28_api;
grant select on games.game to sum28_jobs;
grant select on games.house to sum28_application;
grant select on games.odds to sum28_api;
grant select on games.odds to sum28_jobs;
grant select on games.planned_stop to sum28_api;
grant select on games.planned_stop to sum28_jobs;
grant select on games.room to sum28_api;
grant select on games.room to sum28_jobs;
grant select on games.rule to sum28_api;
grant select on games.rule to sum28_jobs;
grant select on games.stop to sum28_api;
grant select on games.stop to sum28_jobs;

-- fairness ========================================================================================

create table fairness.chain (
  id integer not null generated always as identity,
  game_id smallint not null,
  length integer not null,
  commitment bytea not null,
  encrypted_secret bytea not null,
  key_id text not null,
  committed_at timestamptz not null default app.now(),
  used integer not null default 0,
  constraint chain_pkey PRIMARY KEY (id),
  constraint chain_commitment_key UNIQUE (commitment),
  constraint chain_game_id_fkey FOREIGN KEY (game_id) REFERENCES games.game(id),
  constraint chain_check CHECK (((used >= 0) AND (used <= length))),
  constraint chain_commitment_check CHECK ((octet_length(commitment) = 32)),
  constraint chain_length_check CHECK ((length > 0))
);
comment on table fairness.chain is 'Seed chains: committed before their first round, one seed for each round.';
CREATE INDEX chain_of_game ON fairness.chain USING btree (game_id, id);
CREATE TRIGGER chain_guarded BEFORE UPDATE ON fairness.chain FOR EACH ROW EXECUTE FUNCTION fairness.guard_chain();
CREATE TRIGGER chain_is_logged AFTER INSERT ON fairness.chain FOR EACH ROW EXECUTE FUNCTION public_log.note_chain();
CREATE TRIGGER chain_never_deleted BEFORE DELETE ON fairness.chain FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER chain_never_truncated BEFORE TRUNCATE ON fairness.chain FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Functions, written in functions/fairness.sql:
--   fairness.guard_chain() returns trigger

grant insert, select on fairness.chain to sum28_engine;
grant select (commitment, committed_at, game_id, id, length, used) on fairness.chain to sum28_api;
grant select (commitment, committed_at, game_id, id, length, used) on fairness.chain to sum28_jobs;

-- rounds ==========================================================================================

create table rounds.day (
  game_id smallint not null,
  game_day date not null,
  results integer not null,
  constraint day_pkey PRIMARY KEY (game_id, game_day)
);
comment on table rounds.day is 'Follows from rounds.round and can be made from it anew.';

create table rounds.draw (
  game_id smallint not null,
  issue bigint not null,
  seed bytea not null,
  beacon_signature bytea not null,
  randomness bytea not null,
  digit_1 smallint not null,
  digit_2 smallint not null,
  digit_3 smallint not null,
  total smallint not null generated always as (((digit_1 + digit_2) + digit_3)) stored,
  drawn_at timestamptz not null default app.now(),
  constraint draw_pkey PRIMARY KEY (game_id, issue),
  constraint draw_game_id_issue_fkey FOREIGN KEY (game_id, issue) REFERENCES rounds.round(game_id, issue),
  constraint draw_digit_1_check CHECK (((digit_1 >= 0) AND (digit_1 <= 9))),
  constraint draw_digit_2_check CHECK (((digit_2 >= 0) AND (digit_2 <= 9))),
  constraint draw_digit_3_check CHECK (((digit_3 >= 0) AND (digit_3 <= 9))),
  constraint draw_randomness_check CHECK ((octet_length(randomness) = 32)),
  constraint draw_seed_check CHECK ((octet_length(seed) = 32))
);
comment on table rounds.draw is 'The draw of a round, with what it follows from. Rows never change.';
CREATE TRIGGER draw_guarded BEFORE INSERT ON rounds.draw FOR EACH ROW EXECUTE FUNCTION rounds.guard_draw();
CREATE TRIGGER draw_is_logged AFTER INSERT ON rounds.draw FOR EACH ROW EXECUTE FUNCTION public_log.note_draw();
CREATE TRIGGER draw_never_changes BEFORE DELETE OR UPDATE ON rounds.draw FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER draw_never_truncated BEFORE TRUNCATE ON rounds.draw FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table rounds.round (
  game_id smallint not null,
  issue bigint not null,
  game_day date not null,
  number integer not null,
  opens_at timestamptz not null,
  seals_at timestamptz not null,
  draws_at timestamptz not null,
  voids_at timestamptz not null,
  state text not null default 'open'::text,
  chain_id integer not null,
  chain_index integer not null,
  beacon_kind text not null,
  beacon_chain_hash text not null,
  beacon_public_key text not null,
  beacon_scheme text not null,
  beacon_genesis bigint not null,
  beacon_period integer not null,
  beacon_round bigint not null,
  book_root bytea,
  book_size integer,
  sealed_at timestamptz,
  witnessed_at timestamptz,
  settled_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  constraint round_pkey PRIMARY KEY (game_id, issue),
  constraint one_seed_a_round UNIQUE (chain_id, chain_index),
  constraint round_chain_id_fkey FOREIGN KEY (chain_id) REFERENCES fairness.chain(id),
  constraint round_game_id_fkey FOREIGN KEY (game_id) REFERENCES games.game(id),
  constraint beacon_round_is_first_after_end CHECK (((to_timestamp(((beacon_genesis + ((beacon_round - 1) * beacon_period)))::double precision) >= draws_at) AND (to_timestamp(((beacon_genesis + ((beacon_round - 2) * beacon_period)))::double precision) < draws_at))),
  constraint round_beacon_genesis_check CHECK ((beacon_genesis >= 0)),
  constraint round_beacon_kind_check CHECK ((beacon_kind = ANY (ARRAY['drand'::text, 'local'::text]))),
  constraint round_beacon_period_check CHECK (((beacon_period >= 1) AND (beacon_period <= 3600))),
  constraint round_beacon_round_check CHECK ((beacon_round > 0)),
  constraint round_book_root_check CHECK ((octet_length(book_root) = 32)),
  constraint round_book_size_check CHECK ((book_size >= 0)),
  constraint round_chain_index_check CHECK ((chain_index > 0)),
  constraint round_check CHECK (((witnessed_at IS NULL) OR (sealed_at IS NOT NULL))),
  constraint round_check1 CHECK (((opens_at < seals_at) AND (seals_at < draws_at))),
  constraint round_check2 CHECK (((book_root IS NULL) = (book_size IS NULL))),
  constraint round_check3 CHECK (((voided_at IS NULL) = (void_reason IS NULL))),
  constraint round_check4 CHECK ((voids_at > draws_at)),
  constraint round_number_check CHECK ((number > 0)),
  constraint round_state_check CHECK ((state = ANY (ARRAY['open'::text, 'sealed'::text, 'drawn'::text, 'settled'::text, 'voided'::text]))),
  constraint round_void_reason_check CHECK ((void_reason = ANY (ARRAY['beacon_late'::text, 'sealed_late'::text, 'two_persons'::text]))),
  constraint sealed_before_its_end CHECK ((sealed_at < draws_at)),
  constraint sealed_with_its_book CHECK ((((book_root IS NULL) = (sealed_at IS NULL)) AND ((state = ANY (ARRAY['open'::text, 'voided'::text])) OR (sealed_at IS NOT NULL))))
);
comment on table rounds.round is 'A betting period of a game: open, sealed, drawn, settled; or voided.';
comment on column rounds.round.issue is 'The game day''s date and the number within it: 20261120001.';
comment on column rounds.round.voids_at is 'From when it may be voided because the beacon''s value has not come; announced with the round.';
comment on column rounds.round.book_root is 'The root of the tree over the accepted bets, closed before the beacon''s value exists.';
CREATE INDEX round_by_day ON rounds.round USING btree (game_id, game_day, issue DESC);
CREATE INDEX round_by_time ON rounds.round USING btree (game_id, draws_at DESC);
CREATE INDEX round_not_over_of_all ON rounds.round USING btree (draws_at DESC, (((issue * 1000) + game_id)) DESC) WHERE (state = ANY (ARRAY['open'::text, 'sealed'::text, 'drawn'::text]));
CREATE INDEX round_of_all_by_time ON rounds.round USING btree (draws_at DESC, (((issue * 1000) + game_id)) DESC);
CREATE INDEX round_unfinished ON rounds.round USING btree (game_id, issue) WHERE (settled_at IS NULL);
CREATE INDEX round_voided ON rounds.round USING btree (game_id, voided_at) WHERE (state = 'voided'::text);
CREATE INDEX round_voided_of_all ON rounds.round USING btree (draws_at DESC, (((issue * 1000) + game_id)) DESC) WHERE (state = 'voided'::text);
CREATE TRIGGER change_is_logged AFTER UPDATE ON rounds.round FOR EACH ROW WHEN ((old.state <> new.state)) EXECUTE FUNCTION public_log.note_change();
CREATE TRIGGER round_begins_changes AFTER INSERT ON rounds.round FOR EACH ROW EXECUTE FUNCTION console_games.begin_changes();
CREATE TRIGGER round_guarded BEFORE UPDATE ON rounds.round FOR EACH ROW EXECUTE FUNCTION rounds.guard_round();
CREATE TRIGGER round_is_logged AFTER INSERT ON rounds.round FOR EACH ROW EXECUTE FUNCTION public_log.note_announcement();
CREATE TRIGGER round_never_deleted BEFORE DELETE ON rounds.round FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER round_never_truncated BEFORE TRUNCATE ON rounds.round FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER round_result_counted AFTER UPDATE ON rounds.round FOR EACH ROW WHEN (((old.state = ANY (ARRAY['open'::text, 'sealed'::text])) AND (new.state = ANY (ARRAY['drawn'::text, 'voided'::text])))) EXECUTE FUNCTION rounds.count_result();

create table rounds.value (
  game_id smallint not null,
  issue bigint not null,
  beacon_signature bytea not null,
  randomness bytea not null,
  stored_at timestamptz not null,
  constraint value_pkey PRIMARY KEY (game_id, issue),
  constraint value_game_id_issue_fkey FOREIGN KEY (game_id, issue) REFERENCES rounds.round(game_id, issue),
  constraint randomness_is_of_signature CHECK ((randomness = sha256(beacon_signature)))
);
comment on table rounds.value is 'The beacon''s value of a round, from the moment that it is known here. Rows never change.';
CREATE TRIGGER value_never_changes BEFORE DELETE OR UPDATE ON rounds.value FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER value_never_truncated BEFORE TRUNCATE ON rounds.value FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table rounds.voided_seed (
  game_id smallint not null,
  issue bigint not null,
  seed bytea not null,
  published_at timestamptz not null,
  constraint voided_seed_pkey PRIMARY KEY (game_id, issue),
  constraint voided_seed_game_id_issue_fkey FOREIGN KEY (game_id, issue) REFERENCES rounds.round(game_id, issue),
  constraint voided_seed_seed_check CHECK ((octet_length(seed) = 32))
);
comment on table rounds.voided_seed is 'The seed of a voided round, once it is published. Rows never change.';
CREATE TRIGGER seed_is_logged AFTER INSERT ON rounds.voided_seed FOR EACH ROW EXECUTE FUNCTION public_log.note_seed();
CREATE TRIGGER voided_seed_never_changes BEFORE DELETE OR UPDATE ON rounds.voided_seed FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER voided_seed_never_truncated BEFORE TRUNCATE ON rounds.voided_seed FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Functions, written in functions/rounds.sql:
--   rounds.count_result() returns trigger
--   rounds.draw(game_id smallint, issue bigint, seed bytea, beacon_signature bytea, randomness bytea, digits smallint[]) returns boolean [owner] [engine]
--   rounds.guard_draw() returns trigger
--   rounds.guard_round() returns trigger
--   rounds.guard_void() returns trigger
--   rounds.judge_void(proposed staff.proposal, of_role text) returns text
--   rounds.lock(of_game integer, of_issue bigint) returns rounds.round
--   rounds.open(game_id smallint, issue bigint, game_day date, number integer, opens_at timestamptz, seals_at timestamptz, draws_at timestamptz, chain_id integer, beacon_kind text, beacon_chain_hash text, beacon_public_key text, beacon_scheme text, beacon_genesis bigint, beacon_period integer, beacon_round bigint, voids_at timestamptz) returns boolean [owner] [engine]
--   rounds.publish_seed(game_id smallint, issue bigint, seed bytea) returns boolean [owner] [engine]
--   rounds.store_value(game_id smallint, issue bigint, beacon_signature bytea, randomness bytea) returns boolean [owner] [engine]
--   rounds.to_publish(of_game smallint) returns TABLE(game_id smallint, issue bigint, chain_id integer, chain_index integer, beacon_chain_hash text, beacon_round bigint, seed_due boolean, value_due boolean) [engine]
--   rounds.value_at(of_round rounds.round) returns timestamptz [application]
--   rounds.void_by_two(confirmed staff.proposal) returns void
--   rounds.void_is_proved(of_round rounds.round, reason text, moment timestamptz) returns boolean
--   rounds.void(game_id smallint, issue bigint, reason text) returns boolean [owner] [engine]
--   rounds.was_witnessed(of_round rounds.round) returns boolean [application]

grant select on rounds.day to sum28_api;
grant select on rounds.day to sum28_jobs;
grant select on rounds.draw to sum28_api;
grant select on rounds.draw to sum28_jobs;
grant select on rounds.round to sum28_application;
grant select on rounds.value to sum28_application;
grant select on rounds.voided_seed to sum28_application;

-- bets ============================================================================================

create sequence bets.bet_id;

create type bets.locked_round as (
  game_id integer,
  issue bigint
);
comment on type bets.locked_round is 'A round that was open when a batch of orders locked it, and stays so until the batch ends.';

create type bets.order_slip as (
  ord integer,
  player_id integer,
  client_key text,
  game_id integer,
  issue bigint,
  room_id integer,
  rule_ids integer[],
  stake bigint,
  total bigint,
  follow_id bigint,
  nonce text,
  reason text,
  facts jsonb,
  booked_on date,
  odds_milli integer[],
  rules_version integer,
  entry_min bigint,
  could_pay bigint
);
comment on type bets.order_slip is 'An order on its way through the steps of bets.place.';

create table bets.bet (
  player_id integer not null,
  id bigint not null,
  booked_on date not null,
  order_no text not null,
  game_id smallint not null,
  issue bigint not null,
  room_id integer not null,
  rule_ids smallint[] not null,
  odds_milli integer[] not null,
  rules_version integer not null,
  stake bigint not null,
  total bigint not null,
  could_pay bigint not null,
  cash_after bigint not null,
  posting_id bigint not null,
  accepted_at timestamptz not null,
  follow_id bigint,
  nonce bytea not null,
  client_key text not null,
  status text not null default 'accepted'::text,
  payout bigint not null default 0,
  settled_at timestamptz,
  constraint bet_pkey PRIMARY KEY (player_id, id, booked_on),
  constraint bet_check CHECK ((cardinality(rule_ids) = cardinality(odds_milli))),
  constraint bet_check1 CHECK ((total = (stake * cardinality(rule_ids)))),
  constraint bet_check2 CHECK (((status = 'accepted'::text) = (settled_at IS NULL))),
  constraint bet_check3 CHECK (((status = 'won'::text) = (payout > 0))),
  constraint bet_client_key_check CHECK (((length(client_key) >= 1) AND (length(client_key) <= 255))),
  constraint bet_could_pay_check CHECK ((could_pay >= 0)),
  constraint bet_nonce_check CHECK ((octet_length(nonce) = 16)),
  constraint bet_payout_check CHECK ((payout >= 0)),
  constraint bet_rule_ids_check CHECK (((cardinality(rule_ids) >= 1) AND (cardinality(rule_ids) <= 36))),
  constraint bet_stake_check CHECK (((stake > 0) AND ((stake % (10000)::bigint) = 0))),
  constraint bet_status_check CHECK ((status = ANY (ARRAY['accepted'::text, 'won'::text, 'lost'::text, 'refunded'::text])))
) partition by RANGE (booked_on);
comment on table bets.bet is 'Accepted bets. What was accepted never changes; a bet is settled or refunded once.';
comment on column bets.bet.odds_milli is 'The odds of each rule when the bet was accepted, in thousandths.';
comment on column bets.bet.stake is 'Micro-units, on each rule.';
comment on column bets.bet.could_pay is 'What the player''s bets of the round up to this one would pay if every selection hit.';
comment on column bets.bet.cash_after is 'The player''s cash after the stake was taken, in micro-units.';
comment on column bets.bet.posting_id is 'The posting that took the stake.';
comment on column bets.bet.nonce is 'Known to the player alone: nobody else can guess his bet''s leaf in the closed book.';
comment on column bets.bet.client_key is 'The idempotency key of the order; if the client gave none, one that is made from the nonce.';
CREATE INDEX bet_by_day ON bets.bet USING brin (booked_on) WITH (autosummarize='on');
CREATE INDEX bet_large ON bets.bet USING btree (room_id, id) WHERE (total >= '10000000000'::bigint);
CREATE INDEX bet_of_room ON bets.bet USING btree (room_id, id);
CREATE INDEX bet_of_round ON bets.bet USING btree (game_id, issue, player_id, id);
CREATE TRIGGER bet_guarded AFTER UPDATE OF player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli, rules_version, stake, total, cash_after, posting_id, accepted_at, follow_id, nonce, could_pay, client_key ON bets.bet FOR EACH ROW EXECUTE FUNCTION bets.guard_bet();
CREATE TRIGGER bet_has_references AFTER INSERT ON bets.bet REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bets.check_references();
CREATE TRIGGER bet_never_deleted BEFORE DELETE ON bets.bet FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER bet_never_truncated BEFORE TRUNCATE ON bets.bet FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER bet_settled_once AFTER UPDATE OF status, payout, settled_at ON bets.bet FOR EACH ROW WHEN ((old.status <> 'accepted'::text)) EXECUTE FUNCTION bets.guard_bet();

create table bets.book (
  game_id smallint not null,
  issue bigint not null,
  size integer not null default 0,
  last_bet_id bigint not null default 0,
  block_first_id bigint not null default 0,
  subtree_roots bytea[] not null default '{}'::bytea[],
  constraint book_pkey PRIMARY KEY (game_id, issue),
  constraint book_game_id_issue_fkey FOREIGN KEY (game_id, issue) REFERENCES rounds.round(game_id, issue),
  constraint book_size_check CHECK ((size >= 0))
);
comment on table bets.book is 'Follows from bets.bet and can be made from it anew.';

create table bets.book_node (
  game_id smallint not null,
  issue bigint not null,
  level smallint not null,
  position integer not null,
  hash bytea not null,
  first_bet_id bigint,
  constraint book_node_pkey PRIMARY KEY (game_id, issue, level, "position"),
  constraint book_node_check CHECK (((level = 8) = (first_bet_id IS NOT NULL))),
  constraint book_node_hash_check CHECK ((octet_length(hash) = 32)),
  constraint book_node_level_check CHECK ((level >= 8))
);
comment on table bets.book_node is 'Follows from bets.bet and can be made from it anew.';
CREATE INDEX book_block ON bets.book_node USING btree (game_id, issue, first_bet_id) WHERE (level = 8);

create table bets.player_day (
  player_id integer not null,
  day date not null,
  staked bigint not null,
  paid bigint not null,
  constraint player_day_pkey PRIMARY KEY (player_id, day)
);
comment on table bets.player_day is 'What a player staked and was paid in bets settled on a calendar day.';
CREATE INDEX player_day_by_day ON bets.player_day USING btree (day);

create table bets.settling (
  game_id smallint not null,
  issue bigint not null,
  last_player integer not null,
  last_bet bigint not null,
  constraint settling_pkey PRIMARY KEY (game_id, issue)
);
comment on table bets.settling is 'How far a round''s settlement or refund has come, until it has ended.';

create table bets.winner (
  settled_at timestamptz not null,
  player_id integer not null,
  bet_id bigint not null,
  game_id smallint not null,
  profit bigint not null,
  constraint winner_pkey PRIMARY KEY (player_id, bet_id),
  constraint winner_profit_check CHECK ((profit > 0))
);
comment on table bets.winner is 'The largest wins of each settlement, of people, for two days. Follows from bets.bet and can be made from it anew.';
CREATE INDEX winner_by_time ON bets.winner USING btree (settled_at);

-- Functions, written in functions/bets.sql:
--   bets.accepted_after(of_game smallint, of_issue bigint, day date, after bigint, last bigint, bets_max integer) returns SETOF bets.bet [api]
--   bets.check_references() returns trigger
--   bets.count_settled(players integer[], staked bigint[], paid bigint[], on_day date) returns void
--   bets.extend_book(of_game smallint, of_issue bigint, bets_max integer) returns integer [owner] [engine]
--   bets.guard_bet() returns trigger
--   bets.judge_by_balance(slips bets.order_slip[]) returns bets.order_slip[]
--   bets.judge_by_key(slips bets.order_slip[], moment timestamptz) returns bets.order_slip[]
--   bets.judge_by_protection(slips bets.order_slip[], moment timestamptz) returns bets.order_slip[]
--   bets.judge_by_rules(slips bets.order_slip[], locked bets.locked_round[], moment timestamptz) returns bets.order_slip[]
--   bets.leaf_hash(of_bet bets.bet) returns bytea [api]
--   bets.lock_balances(slips bets.order_slip[], locked bets.locked_round[]) returns void
--   bets.lock_rounds(slips bets.order_slip[], OUT locked bets.locked_round[], OUT moment timestamptz) returns record
--   bets.locked_book(of_game smallint, of_issue bigint, day date) returns bets.book
--   bets.note_settled(of_game integer, of_issue bigint, players integer[], bet_ids bigint[], ended boolean) returns void
--   bets.note_winners(of_game integer, of_issue bigint, on_day date, players integer[], bet_ids bigint[], staked bigint[], paid bigint[]) returns void
--   bets.offers_of(slips bets.order_slip[], locked bets.locked_round[], moment timestamptz) returns TABLE(room_id integer, game_id smallint, stake_min bigint, stake_max bigint, entry_min bigint, rules_version integer, stopped boolean, rules integer[], odds integer[], issue bigint, game_day date, open boolean, is_locked boolean)
--   bets.order_no(booked_on date, bet_id bigint) returns text
--   bets.part_end(reached bets.settling, day date, bets_max integer) returns bets.settling
--   bets.payout_short(of_player integer, of_game integer, of_issue bigint, on_day date, order_rules integer[], order_odds integer[], order_stake bigint, payout_max bigint) returns bigint
--   bets.place_of_robots(batch jsonb) returns TABLE(ord integer, reason text, facts jsonb, bet_id bigint, order_no text, total bigint, cash_after bigint, posting_id bigint, accepted_at timestamptz, username text, robot boolean) [owner] [jobs]
--   bets.place(batch jsonb) returns TABLE(ord integer, reason text, facts jsonb, bet_id bigint, order_no text, total bigint, cash_after bigint, posting_id bigint, accepted_at timestamptz, username text, robot boolean) [owner] [api]
--   bets.read_orders(batch jsonb) returns bets.order_slip[]
--   bets.refund(game_id smallint, issue bigint, bets_max integer) returns integer [owner] [engine]
--   bets.resolve(of_game integer, of_issue bigint, day date, winning smallint[], bets_max integer) returns TABLE(player_id integer, id bigint, total bigint, payout bigint, accepted_at timestamptz)
--   bets.root_of(size integer, subtree_roots bytea[]) returns bytea [api] [jobs]
--   bets.seal(of_game smallint, of_issue bigint) returns boolean [owner] [engine]
--   bets.settled_through(of_game integer, of_issue bigint) returns bets.settling
--   bets.settle(game_id smallint, issue bigint, bets_max integer, on_day date) returns integer [owner] [engine]
--   bets.tell_refund(of_game integer, of_issue bigint, players integer[], totals bigint[]) returns void
--   bets.unsettled_stakes(of_player integer) returns bigint
--   bets.write_accepted(slips bets.order_slip[], moment timestamptz) returns TABLE(ord integer, reason text, facts jsonb, bet_id bigint, order_no text, total bigint, cash_after bigint, posting_id bigint, accepted_at timestamptz, username text, robot boolean)

grant select on bets.bet to sum28_api;
grant select on bets.bet to sum28_jobs;
grant select on sequence bets.bet_id to sum28_engine;
grant select on bets.book to sum28_api;
grant select on bets.book to sum28_jobs;
grant select on bets.book_node to sum28_api;
grant select on bets.book_node to sum28_jobs;
grant select on bets.player_day to sum28_api;
grant select on bets.player_day to sum28_jobs;
grant select on bets.winner to sum28_api;
grant delete, select on bets.winner to sum28_jobs;
grant update (settled_at) on bets.winner to sum28_jobs;

-- public_log ======================================================================================

create table public_log.checkpoint (
  id bigint not null generated always as identity,
  origin text not null,
  size bigint not null,
  note text not null,
  witnessed_at timestamptz,
  by_all boolean not null default false,
  made_at timestamptz not null default app.now(),
  constraint checkpoint_pkey PRIMARY KEY (id),
  constraint checkpoint_size_check CHECK ((size >= 0))
);
comment on table public_log.checkpoint is 'The log''s states that were signed. Rows never change.';
CREATE INDEX checkpoint_by_all ON public_log.checkpoint USING btree (size, id) WHERE by_all;
CREATE INDEX checkpoint_by_size ON public_log.checkpoint USING btree (origin, size, id);
CREATE INDEX checkpoint_witnessed ON public_log.checkpoint USING btree (size, id) WHERE (witnessed_at IS NOT NULL);
CREATE TRIGGER checkpoint_never_changes BEFORE DELETE OR UPDATE ON public_log.checkpoint FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER checkpoint_never_truncated BEFORE TRUNCATE ON public_log.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table public_log.entry (
  id bigint not null generated always as identity,
  subject text not null,
  text text not null,
  position bigint,
  written_at timestamptz not null default app.now(),
  constraint entry_pkey PRIMARY KEY (id),
  constraint entry_position_key UNIQUE ("position"),
  constraint entry_subject_key UNIQUE (subject),
  constraint entry_position_check CHECK (("position" >= 0)),
  constraint entry_text_check CHECK (((octet_length(text) >= 1) AND (octet_length(text) <= 65535)))
);
comment on table public_log.entry is 'The public log''s entries, each written in the transaction that makes its fact. Rows never change.';
CREATE INDEX entry_of_key ON public_log.entry USING btree (id) WHERE (subject ~~ 'key %'::text);
CREATE INDEX entry_waiting ON public_log.entry USING btree (id) WHERE ("position" IS NULL);
CREATE TRIGGER entry_never_changes BEFORE UPDATE ON public_log.entry FOR EACH ROW WHEN (((old."position" IS NOT NULL) OR (new."position" IS NULL) OR ((((new.id IS DISTINCT FROM old.id) OR (new.subject IS DISTINCT FROM old.subject)) OR (new.text IS DISTINCT FROM old.text)) OR (new.written_at IS DISTINCT FROM old.written_at)))) EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER entry_never_deleted BEFORE DELETE ON public_log.entry FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER entry_never_truncated BEFORE TRUNCATE ON public_log.entry FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table public_log.name (
  number integer not null,
  begun_at timestamptz not null default app.now(),
  asks_witnesses boolean not null default false,
  constraint name_pkey PRIMARY KEY (number),
  constraint name_number_check CHECK ((number > 0))
);
comment on table public_log.name is 'The log''s names: the last one is in use.';

create table public_log.node (
  level smallint not null,
  position bigint not null,
  hash bytea not null,
  constraint node_pkey PRIMARY KEY (level, "position"),
  constraint node_hash_check CHECK ((octet_length(hash) = 32)),
  constraint node_level_check CHECK (((level >= 1) AND (level <= 7))),
  constraint node_position_check CHECK (("position" >= 0))
);
comment on table public_log.node is 'The roots of the log''s full subtrees of 256^level entries. Follows from its entries.';
CREATE TRIGGER node_never_changes BEFORE DELETE OR UPDATE ON public_log.node FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER node_never_truncated BEFORE TRUNCATE ON public_log.node FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table public_log.witness (
  key text not null,
  asked_at timestamptz not null default app.now(),
  constraint witness_pkey PRIMARY KEY (key)
);
comment on table public_log.witness is 'All witnesses that were ever asked: what one has signed stays proved when another takes its place.';
CREATE TRIGGER witness_never_changes BEFORE DELETE OR UPDATE ON public_log.witness FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER witness_never_truncated BEFORE TRUNCATE ON public_log.witness FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Functions, written in functions/public_log.sql:
--   public_log.add_checkpoint(of_origin text, of_size bigint, of_note text, of_witness timestamptz, of_all boolean) returns void [owner] [jobs]
--   public_log.add(kind text, subject text, VARIADIC fields text[]) returns void
--   public_log.book_witnessed_at(of_game smallint, of_issue bigint) returns timestamptz [api]
--   public_log.note_announcement() returns trigger [owner]
--   public_log.note_chain() returns trigger [owner]
--   public_log.note_change() returns trigger [owner]
--   public_log.note_draw() returns trigger [owner]
--   public_log.note_key(VARIADIC fields text[]) returns void [owner] [jobs]
--   public_log.note_rules(of_game smallint) returns void
--   public_log.note_seed() returns trigger [owner]
--   public_log.place_entries(entries_max integer) returns bigint [owner] [jobs]
--   public_log.seconds(moment timestamptz) returns text

grant select on public_log.checkpoint to sum28_api;
grant select on public_log.checkpoint to sum28_jobs;
grant select on public_log.entry to sum28_api;
grant select on public_log.entry to sum28_jobs;
grant select on public_log.name to sum28_api;
grant select on public_log.name to sum28_jobs;
grant update (asks_witnesses) on public_log.name to sum28_jobs;
grant select on public_log.node to sum28_api;
grant insert, select on public_log.node to sum28_jobs;
grant select on public_log.witness to sum28_api;
grant insert, select on public_log.witness to sum28_jobs;

-- robots ==========================================================================================

create table robots.house (
  singleton boolean not null default true,
  seated_at timestamptz,
  constraint house_pkey PRIMARY KEY (singleton),
  constraint house_singleton_check CHECK (singleton)
);
comment on table robots.house is 'One row: whether the demo''s robots were seated.';

create table robots.robot (
  player_id integer not null,
  room_id integer not null,
  seat smallint not null,
  constraint robot_pkey PRIMARY KEY (player_id),
  constraint robot_room_id_seat_key UNIQUE (room_id, seat),
  constraint robot_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint robot_room_id_fkey FOREIGN KEY (room_id) REFERENCES games.room(id),
  constraint robot_seat_check CHECK (((seat >= 1) AND (seat <= 50)))
);
comment on table robots.robot is 'In which room and seat each robot sits.';

-- Functions, written in functions/robots.sql:
--   robots.level(fills boolean, robots integer[], floors bigint[], targets bigint[], booked_on date, cause text) returns integer [owner] [jobs]
--   robots.recruit(room_id integer, seat integer, username text) returns boolean [owner] [jobs]
--   robots.seat_demo(numbers integer[]) returns boolean [owner] [api] [jobs]
--   robots.set_number(room_id integer, number integer, by_session text) returns integer [owner] [api]

grant select on robots.robot to sum28_api;
grant select on robots.robot to sum28_jobs;

-- deposits ========================================================================================

create table deposits.address (
  player_id integer not null,
  derivation_index integer not null generated always as identity,
  address text,
  given_at timestamptz not null default app.now(),
  constraint address_pkey PRIMARY KEY (player_id),
  constraint address_address_key UNIQUE (address),
  constraint address_derivation_index_key UNIQUE (derivation_index),
  constraint address_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table deposits.address is 'The chain address of each member.';
CREATE TRIGGER address_given_once BEFORE UPDATE ON deposits.address FOR EACH ROW WHEN (((old.address IS NOT NULL) AND (new.address IS DISTINCT FROM old.address))) EXECUTE FUNCTION app.refuse_change();

create table deposits.bank_account (
  singleton boolean not null default true,
  bank_name text not null,
  holder text not null,
  number text not null,
  constraint bank_account_pkey PRIMARY KEY (singleton),
  constraint bank_account_singleton_check CHECK (singleton)
);
comment on table deposits.bank_account is 'At most one row: the operator''s account that players are shown.';

create table deposits.chain_difference (
  id bigint not null generated always as identity,
  found_at timestamptz not null default app.now(),
  kind text not null,
  tx_id text not null,
  log_index integer not null,
  details jsonb not null,
  constraint chain_difference_pkey PRIMARY KEY (id),
  constraint reported_once UNIQUE (kind, tx_id, log_index),
  constraint chain_difference_kind_check CHECK ((kind = ANY (ARRAY['missing_in_ledger'::text, 'missing_on_chain'::text, 'amount_differs'::text, 'unmatched'::text])))
);
comment on table deposits.chain_difference is 'What the daily comparison of chain and ledger found.';
CREATE INDEX chain_difference_by_kind ON deposits.chain_difference USING btree (kind, id);
CREATE INDEX chain_difference_by_transaction ON deposits.chain_difference USING btree (tx_id);

create table deposits.dismissal (
  tx_id text not null,
  log_index integer not null,
  reason text not null,
  dismissed_by integer not null,
  dismissed_at timestamptz not null,
  constraint dismissal_pkey PRIMARY KEY (tx_id, log_index),
  constraint dismissal_dismissed_by_fkey FOREIGN KEY (dismissed_by) REFERENCES staff.member(id),
  constraint dismissal_tx_id_log_index_fkey FOREIGN KEY (tx_id, log_index) REFERENCES deposits.transfer(tx_id, log_index)
);
comment on table deposits.dismissal is 'Unmatched transfers that belong to no player. A row is deleted if it is taken back.';
CREATE TRIGGER dismissal_never_changes BEFORE UPDATE ON deposits.dismissal FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

create table deposits.explanation (
  difference_id bigint not null,
  reason text not null,
  explained_by integer not null,
  explained_at timestamptz not null,
  constraint explanation_pkey PRIMARY KEY (difference_id),
  constraint explanation_difference_id_fkey FOREIGN KEY (difference_id) REFERENCES deposits.chain_difference(id),
  constraint explanation_explained_by_fkey FOREIGN KEY (explained_by) REFERENCES staff.member(id)
);
comment on table deposits.explanation is 'Why a difference of chain and ledger needs nothing more, in the words of staff.';

create table deposits.rescan_height (
  chain text not null,
  begun_after bigint not null,
  block bigint not null,
  finished_at timestamptz not null default app.now(),
  constraint rescan_height_pkey PRIMARY KEY (chain),
  constraint rescan_height_check CHECK (((block >= begun_after) AND (begun_after >= 0)))
);
comment on table deposits.rescan_height is 'The last block that the daily comparison has finished.';

create table deposits.seen_transfer (
  chain text not null,
  tx_id text not null,
  log_index integer not null,
  to_address text not null,
  amount bigint not null,
  block bigint not null,
  block_at timestamptz,
  solid boolean not null,
  constraint seen_transfer_pkey PRIMARY KEY (chain, tx_id, log_index),
  constraint seen_transfer_amount_check CHECK ((amount > 0))
);
comment on table deposits.seen_transfer is 'Transfers to addresses of members that are in a block and not credited yet.';
CREATE INDEX seen_transfer_by_address ON deposits.seen_transfer USING btree (to_address);

create table deposits.spare_address (
  account text not null,
  derivation_index integer not null,
  address text not null,
  constraint spare_address_pkey PRIMARY KEY (account, derivation_index),
  constraint spare_address_address_key UNIQUE (address)
);
comment on table deposits.spare_address is 'Addresses of ours, derived from the account key, with those that members have by now.';

create table deposits.transfer (
  tx_id text not null,
  log_index integer not null,
  block bigint not null,
  block_at timestamptz not null,
  from_address text not null,
  to_address text not null,
  amount bigint not null,
  player_id integer,
  credited_at timestamptz,
  constraint transfer_pkey PRIMARY KEY (tx_id, log_index),
  constraint transfer_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint transfer_amount_check CHECK ((amount > 0))
);
comment on table deposits.transfer is 'Transfers that arrived at an address of ours. player_id is null while one is unmatched.';
CREATE INDEX transfer_by_block ON deposits.transfer USING btree (block);
CREATE INDEX transfer_by_credit ON deposits.transfer USING btree (credited_at) WHERE (player_id IS NOT NULL);
CREATE INDEX transfer_by_time ON deposits.transfer USING btree (block_at);
CREATE INDEX transfer_credited ON deposits.transfer USING btree (credited_at) WHERE (credited_at IS NOT NULL);
CREATE INDEX transfer_large ON deposits.transfer USING btree (block_at) WHERE (amount >= '10000000000'::bigint);
CREATE INDEX transfer_of_player ON deposits.transfer USING btree (player_id, block DESC);
CREATE INDEX transfer_of_player_by_time ON deposits.transfer USING btree (player_id, block_at) WHERE (player_id IS NOT NULL);
CREATE INDEX transfer_unmatched ON deposits.transfer USING btree (block DESC, log_index DESC) WHERE (player_id IS NULL);
CREATE INDEX transfer_unmatched_from ON deposits.transfer USING btree (from_address) WHERE (player_id IS NULL);
CREATE INDEX transfer_unmatched_to ON deposits.transfer USING btree (to_address) WHERE (player_id IS NULL);
CREATE TRIGGER transfer_guarded BEFORE UPDATE ON deposits.transfer FOR EACH ROW EXECUTE FUNCTION deposits.guard_transfer();
CREATE TRIGGER transfer_never_deleted BEFORE DELETE ON deposits.transfer FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

create table deposits.watcher_height (
  chain text not null,
  block bigint,
  moved_at timestamptz not null default app.now(),
  seen_block bigint,
  solid_block bigint,
  constraint watcher_height_pkey PRIMARY KEY (chain),
  constraint watcher_height_block_check CHECK ((block >= 0))
);
comment on table deposits.watcher_height is 'The last block that the deposit watcher has finished, and when; null: it has read none yet.';

-- Functions, written in functions/deposits.sql:
--   deposits.begin_watching(chain_name text, after bigint) returns void [owner] [jobs]
--   deposits.check_bank_deposit(content jsonb) returns void
--   deposits.compare_with_chain(transfers jsonb, after_block bigint, last_block bigint) returns TABLE(kind text, tx_id text, log_index integer, details jsonb) [jobs]
--   deposits.compared_transfers(transfers jsonb, after_block bigint, last_block bigint) returns TABLE(tx_id text, log_index integer, block bigint, chain_amount bigint, recorded_amount bigint, booked_amount numeric, owner_id integer, player_id integer, is_dismissed boolean, is_on_chain boolean, is_recorded boolean) [jobs]
--   deposits.credit_assignment(confirmed staff.proposal) returns void
--   deposits.credit_bank_deposit(confirmed staff.proposal) returns void
--   deposits.dismiss_transfer(of_tx text, of_log integer, by_session text, why text) returns TABLE(answer text, ended bigint) [owner] [api]
--   deposits.explain_difference(of_difference bigint, by_session text, why text) returns text [owner] [api]
--   deposits.guard_transfer() returns trigger
--   deposits.is_nowhere(difference deposits.chain_difference) returns boolean [api] [jobs]
--   deposits.is_owners(block_at timestamptz, given_at timestamptz) returns boolean [jobs]
--   deposits.judge_assignment(proposed staff.proposal, of_role text) returns text
--   deposits.judge_bank_account(proposal staff.proposal, by_role text) returns text
--   deposits.judge_bank_deposit(proposed staff.proposal, of_role text) returns text
--   deposits.needs_third_person(proposed staff.proposal, of_role text) returns boolean
--   deposits.note_seen(chain_name text, height bigint, looked_from bigint, looked_to bigint, solid_height bigint, transfers jsonb) returns void [owner] [jobs]
--   deposits.put_address(of_player integer, derived text) returns void [owner] [api]
--   deposits.put_bank_account(proposal staff.proposal) returns void
--   deposits.reopen_transfer(of_tx text, of_log integer, by_session text) returns text [owner] [api]
--   deposits.shown_bank_account() returns jsonb
--   deposits.stray_deposits(since date) returns TABLE(tx_id text, log_index integer, details jsonb) [jobs]
--   deposits.subject_of(tx_id text, log_index integer) returns text [api] [jobs]
--   deposits.take_block(chain_name text, block_number bigint, block_at timestamptz, transfers jsonb, on_day date, again boolean DEFAULT false) returns TABLE(player_id integer, amount bigint, tx_id text, held boolean) [owner] [jobs]
--   deposits.take_index(of_player integer) returns integer [owner] [api]

-- View deposits.bank_deposit, written in functions/deposits.sql: id bigint, player_id integer, amount bigint, bank_reference text, state text, recorded_at timestamptz, confirmed_at timestamptz
-- View deposits.member_address, written in functions/deposits.sql: player_id integer, address text, given_at timestamptz
-- View deposits.unmatched_transfer, written in functions/deposits.sql: tx_id text, log_index integer, block bigint, block_at timestamptz, from_address text, to_address text, amount bigint, state text, proposal_id bigint, player_id integer, reason text, proposed_by integer, decided_by integer

grant select on deposits.address to sum28_api;
grant select on deposits.address to sum28_jobs;
grant select on sequence deposits.address_derivation_index_seq to sum28_jobs;
grant select on deposits.bank_account to sum28_api;
grant select on deposits.bank_account to sum28_jobs;
grant select on deposits.bank_deposit to sum28_api;
grant select on deposits.bank_deposit to sum28_jobs;
grant select on deposits.chain_difference to sum28_api;
grant insert, select on deposits.chain_difference to sum28_jobs;
grant select on deposits.dismissal to sum28_api;
grant select on deposits.dismissal to sum28_jobs;
grant select on deposits.explanation to sum28_api;
grant select on deposits.explanation to sum28_jobs;
grant select on deposits.member_address to sum28_api;
grant select on deposits.member_address to sum28_jobs;
grant select on deposits.rescan_height to sum28_api;
grant insert, select, update on deposits.rescan_height to sum28_jobs;
grant select on deposits.seen_transfer to sum28_api;
grant select on deposits.seen_transfer to sum28_jobs;
grant select on deposits.spare_address to sum28_api;
grant insert, select on deposits.spare_address to sum28_jobs;
grant select on deposits.transfer to sum28_api;
grant select on deposits.transfer to sum28_jobs;
grant select on deposits.unmatched_transfer to sum28_api;
grant select on deposits.unmatched_transfer to sum28_jobs;
grant select on deposits.watcher_height to sum28_api;
grant select on deposits.watcher_height to sum28_jobs;

-- withdrawals =====================================================================================

create sequence withdrawals.withdrawal_id;

create table withdrawals.identity (
  player_id integer not null,
  state text not null,
  version integer not null,
  encrypted_facts bytea not null,
  key_id text not null,
  sent_at timestamptz not null,
  decided_by integer,
  decided_at timestamptz,
  reject_reason text,
  constraint identity_pkey PRIMARY KEY (player_id),
  constraint identity_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff.member(id),
  constraint identity_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint decision_is_whole CHECK ((((state = 'waiting'::text) = (decided_by IS NULL)) AND ((decided_by IS NULL) = (decided_at IS NULL)) AND ((state = 'rejected'::text) = (reject_reason IS NOT NULL)))),
  constraint identity_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'accepted'::text, 'rejected'::text]))),
  constraint identity_version_check CHECK ((version > 0))
);
comment on table withdrawals.identity is 'The player''s name, date of birth and address as he sent them last, encrypted.';
CREATE INDEX identity_in_order ON withdrawals.identity USING btree (sent_at, player_id);
CREATE INDEX identity_waiting ON withdrawals.identity USING btree (sent_at, player_id) WHERE (state = 'waiting'::text);

create table withdrawals.identity_picture (
  id integer not null generated always as identity,
  player_id integer not null,
  encrypted_content bytea not null,
  key_id text not null,
  added_at timestamptz not null,
  constraint identity_picture_pkey PRIMARY KEY (id),
  constraint identity_picture_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table withdrawals.identity_picture is 'Pictures of a player''s documents, encrypted: to be sent, or sent. With a rejection they are deleted.';
CREATE INDEX identity_picture_by_age ON withdrawals.identity_picture USING btree (added_at);
CREATE INDEX identity_picture_of_player ON withdrawals.identity_picture USING btree (player_id, id);

create table withdrawals.identity_terms (
  only_one boolean not null default true,
  asked_from bigint,
  constraint identity_terms_pkey PRIMARY KEY (only_one),
  constraint identity_terms_asked_from_check CHECK ((asked_from >= 0)),
  constraint identity_terms_only_one CHECK (only_one)
);
comment on table withdrawals.identity_terms is 'One row: from which sum of withdrawals a player proves his identity.';

create table withdrawals.pay_method (
  id integer not null generated always as identity,
  player_id integer not null,
  kind text not null,
  encrypted_number bytea not null,
  shown_number text not null,
  key_id text not null,
  past_keys text[] not null default '{}'::text[],
  label text not null,
  bank_name text not null default ''::text,
  branch_code text not null default ''::text,
  branch_name text not null default ''::text,
  note text not null default ''::text,
  created_at timestamptz not null default app.now(),
  replaced_at timestamptz,
  constraint pay_method_pkey PRIMARY KEY (id),
  constraint pay_method_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint pay_method_kind_check CHECK ((kind = ANY (ARRAY['bank'::text, 'wallet'::text])))
);
comment on table withdrawals.pay_method is 'Bank cards and wallets of players; numbers are encrypted.';
CREATE INDEX pay_method_by_end ON withdrawals.pay_method USING btree ("right"(shown_number, 4));
CREATE UNIQUE INDEX one_pay_method_of_a_kind ON withdrawals.pay_method USING btree (player_id, kind) WHERE (replaced_at IS NULL);
CREATE TRIGGER number_guarded BEFORE UPDATE ON withdrawals.pay_method FOR EACH ROW WHEN ((((new.encrypted_number IS DISTINCT FROM old.encrypted_number) OR (new.key_id IS DISTINCT FROM old.key_id)) OR (new.past_keys IS DISTINCT FROM old.past_keys))) EXECUTE FUNCTION withdrawals.guard_number();

create table withdrawals.terms (
  only_one boolean not null default true,
  hold interval not null,
  two_persons_from bigint not null,
  constraint terms_pkey PRIMARY KEY (only_one),
  constraint terms_hold_check CHECK ((hold >= '00:00:00'::interval)),
  constraint terms_only_one_check CHECK (only_one),
  constraint terms_two_persons_from_check CHECK ((two_persons_from >= 0))
);
comment on table withdrawals.terms is 'One row: how long a hold lasts, and from which amount two persons approve. The owner writes it at each start.';

create table withdrawals.withdrawal (
  player_id integer not null,
  id bigint not null,
  pay_method_id integer not null,
  amount bigint not null,
  booked_on date not null,
  cash_after bigint not null,
  state text not null default 'waiting'::text,
  requested_at timestamptz not null default app.now(),
  requested_by integer,
  first_approved_by integer,
  approved_by integer,
  rejected_by integer,
  reject_reason text,
  decided_at timestamptz,
  at_bank boolean not null default false,
  payout_reference text,
  payout_key text,
  payout_batch integer,
  payout_recorded_by integer,
  paid_at timestamptz,
  sent_at timestamptz,
  payout_chain text,
  payout_log integer,
  payout_fault text,
  payout_corrected_by integer,
  payout_absent_at timestamptz,
  reversed_by integer,
  reversed_at timestamptz,
  stage text not null generated always as (
CASE
    WHEN (state <> 'approved'::text) THEN state
    WHEN (payout_chain = 'wrong'::text) THEN 'payout_wrong'::text
    WHEN (payout_chain = 'awaited'::text) THEN 'on_chain'::text
    WHEN (payout_reference IS NOT NULL) THEN 'paid'::text
    WHEN at_bank THEN 'at_bank'::text
    ELSE 'to_pay'::text
END) stored,
  place bigint not null generated always as (
CASE
    WHEN ((state = ANY (ARRAY['rejected'::text, 'reversed'::text])) OR ((payout_reference IS NOT NULL) AND (COALESCE(payout_chain, 'seen'::text) = 'seen'::text))) THEN (- id)
    ELSE (id - '900000000000000000'::bigint)
END) stored,
  constraint withdrawal_pkey PRIMARY KEY (player_id, id),
  constraint withdrawal_id_key UNIQUE (id),
  constraint withdrawal_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES staff.member(id),
  constraint withdrawal_first_approved_by_fkey FOREIGN KEY (first_approved_by) REFERENCES staff.member(id),
  constraint withdrawal_pay_method_id_fkey FOREIGN KEY (pay_method_id) REFERENCES withdrawals.pay_method(id),
  constraint withdrawal_payout_corrected_by_fkey FOREIGN KEY (payout_corrected_by) REFERENCES staff.member(id),
  constraint withdrawal_payout_recorded_by_fkey FOREIGN KEY (payout_recorded_by) REFERENCES staff.member(id),
  constraint withdrawal_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint withdrawal_rejected_by_fkey FOREIGN KEY (rejected_by) REFERENCES staff.member(id),
  constraint withdrawal_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES staff.member(id),
  constraint withdrawal_reversed_by_fkey FOREIGN KEY (reversed_by) REFERENCES staff.member(id),
  constraint approved_by_somebody CHECK (((state = ANY (ARRAY['approved'::text, 'reversed'::text])) = (approved_by IS NOT NULL))),
  constraint at_bank_once_approved CHECK (((NOT at_bank) OR (state = 'approved'::text))),
  constraint chain_answer_is_complete CHECK ((((payout_chain IS NULL) OR (payout_reference IS NOT NULL)) AND ((NOT (payout_chain IS DISTINCT FROM 'seen'::text)) = (payout_log IS NOT NULL)) AND ((NOT (payout_chain IS DISTINCT FROM 'wrong'::text)) = (payout_fault IS NOT NULL)) AND ((payout_corrected_by IS NULL) OR (payout_chain IS NOT NULL)) AND ((payout_absent_at IS NULL) OR (payout_chain IS NOT NULL)))),
  constraint paid_by_another CHECK (((payout_recorded_by IS NULL) OR ((payout_recorded_by IS DISTINCT FROM approved_by) AND (payout_recorded_by IS DISTINCT FROM first_approved_by)))),
  constraint rest_approved_by_another CHECK (((requested_by IS NULL) OR ((requested_by IS DISTINCT FROM approved_by) AND (requested_by IS DISTINCT FROM first_approved_by)))),
  constraint reversed_is_complete CHECK ((((state = 'reversed'::text) = (reversed_by IS NOT NULL)) AND ((reversed_by IS NULL) = (reversed_at IS NULL)))),
  constraint sent_before_it_is_recorded CHECK (((sent_at IS NULL) OR (sent_at <= paid_at))),
  constraint withdrawal_amount_check CHECK ((amount > 0)),
  constraint withdrawal_check CHECK (((state = 'waiting'::text) = (decided_at IS NULL))),
  constraint withdrawal_check1 CHECK (((state = 'rejected'::text) = (rejected_by IS NOT NULL))),
  constraint withdrawal_check2 CHECK (((first_approved_by IS NULL) OR (first_approved_by IS DISTINCT FROM approved_by))),
  constraint withdrawal_check3 CHECK (((payout_reference IS NULL) = (paid_at IS NULL))),
  constraint withdrawal_check4 CHECK (((payout_reference IS NULL) = (payout_key IS NULL))),
  constraint withdrawal_check5 CHECK (((payout_reference IS NULL) OR (state = 'approved'::text))),
  constraint withdrawal_payout_chain_check CHECK ((payout_chain = ANY (ARRAY['awaited'::text, 'seen'::text, 'wrong'::text]))),
  constraint withdrawal_payout_fault_check CHECK ((payout_fault = ANY (ARRAY['failed'::text, 'other_payee'::text, 'other_amount'::text, 'before_request'::text, 'used'::text]))),
  constraint withdrawal_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'rejected'::text, 'reversed'::text])))
);
comment on table withdrawals.withdrawal is 'Requests: the amount is held at once, and then paid out or released.';
comment on column withdrawals.withdrawal.requested_by is 'Who of staff asked for it, of what is left in a closed account; null: the player.';
comment on column withdrawals.withdrawal.at_bank is 'Whether it is in a batch for the bank whose answer is awaited.';
comment on column withdrawals.withdrawal.payout_batch is 'The batch that the bank paid it in, which may be one payment with one reference; null: it was paid by hand.';
comment on column withdrawals.withdrawal.payout_chain is 'awaited: not seen in a solid block yet; seen: payee, amount and time are right; wrong: payout_fault says why. Null for a bank.';
CREATE INDEX payout_by_reference ON withdrawals.withdrawal USING btree (payout_key);
CREATE INDEX payout_not_seen ON withdrawals.withdrawal USING btree (id) WHERE (payout_chain = ANY (ARRAY['awaited'::text, 'wrong'::text]));
CREATE INDEX withdrawal_approved_by_time ON withdrawals.withdrawal USING btree (player_id, decided_at) WHERE (state = 'approved'::text);
CREATE INDEX withdrawal_by_amount ON withdrawals.withdrawal USING btree (amount);
CREATE INDEX withdrawal_by_payout ON withdrawals.withdrawal USING btree (paid_at) WHERE (paid_at IS NOT NULL);
CREATE INDEX withdrawal_by_request ON withdrawals.withdrawal USING btree (requested_at);
CREATE INDEX withdrawal_decided ON withdrawals.withdrawal USING btree (decided_at);
CREATE INDEX withdrawal_in_order ON withdrawals.withdrawal USING btree (place, id);
CREATE INDEX withdrawal_in_stage ON withdrawals.withdrawal USING btree (stage, place, id);
CREATE INDEX withdrawal_in_stage_by_id ON withdrawals.withdrawal USING btree (stage, id);
CREATE INDEX withdrawal_of_method ON withdrawals.withdrawal USING btree (pay_method_id);
CREATE INDEX withdrawal_of_player_in_order ON withdrawals.withdrawal USING btree (player_id, place, id);
CREATE INDEX withdrawal_rejected_by_time ON withdrawals.withdrawal USING btree (decided_at) WHERE (state = 'rejected'::text);
CREATE INDEX withdrawal_reversed_by_time ON withdrawals.withdrawal USING btree (reversed_at) WHERE (reversed_at IS NOT NULL);
CREATE INDEX withdrawal_to_pay ON withdrawals.withdrawal USING btree (id) WHERE ((state = 'approved'::text) AND (paid_at IS NULL));
CREATE UNIQUE INDEX one_waiting_withdrawal ON withdrawals.withdrawal USING btree (player_id) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX payout_by_hand_once ON withdrawals.withdrawal USING btree (payout_key) WHERE (payout_batch IS NULL);
CREATE UNIQUE INDEX payout_by_transfer_once ON withdrawals.withdrawal USING btree (payout_key, payout_log) WHERE (payout_log IS NOT NULL);
CREATE TRIGGER withdrawal_guarded BEFORE UPDATE ON withdrawals.withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawals.guard_withdrawal();
CREATE TRIGGER withdrawal_never_deleted BEFORE DELETE ON withdrawals.withdrawal FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER withdrawal_never_truncated BEFORE TRUNCATE ON withdrawals.withdrawal FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Functions, written in functions/withdrawals.sql:
--   withdrawals.add_identity_picture(of_player integer, content bytea, in_key text, most integer) returns text [owner] [api]
--   withdrawals.add_pay_method(of_id integer, of_player integer, of_kind text, encrypted bytea, key_id text, shown text, label text, bank_name text, branch_code text, branch_name text, note text) returns void [owner] [api]
--   withdrawals.approve(of_withdrawal bigint, by_session text) returns text [owner] [api]
--   withdrawals.clear_identity_pictures(of_player integer) returns text [owner] [api]
--   withdrawals.decide_identity(of_player integer, seen_version integer, why text, by_session text) returns text [owner] [api]
--   withdrawals.give_payment_back(of_withdrawal bigint, by_session text) returns text [owner] [api]
--   withdrawals.guard_number() returns trigger
--   withdrawals.guard_withdrawal() returns trigger
--   withdrawals.hold_until(of_player integer) returns timestamptz [owner] [api] [jobs]
--   withdrawals.is_transaction(reference text) returns boolean
--   withdrawals.judge_by_hand(asked withdrawals.withdrawal, payer integer) returns text
--   withdrawals.judge_payout(asked withdrawals.withdrawal, payer integer) returns text
--   withdrawals.judge_player(of_player integer) returns text
--   withdrawals.judge_reversal(proposed staff.proposal, of_role text) returns text
--   withdrawals.judge(of_player integer, of_method integer, amount bigint, cash bigint) returns text
--   withdrawals.lock_closed(of_player integer) returns text [owner] [api]
--   withdrawals.lock_sender(of_player integer) returns text
--   withdrawals.methods_ending(typed text) returns integer[] [api]
--   withdrawals.needs_password(player accounts.player) returns boolean [api]
--   withdrawals.note_absent_payout(of_withdrawal bigint, reference text, read_until timestamptz) returns void [owner] [jobs]
--   withdrawals.obstacle(player accounts.player) returns text [owner] [api]
--   withdrawals.others_with_mark(of_player integer, of_kind text) returns integer [owner]
--   withdrawals.pay_out(of_withdrawal bigint, payer integer, reference text, of_batch integer, sent timestamptz DEFAULT NULL::timestamptz) returns text
--   withdrawals.record_payout(of_withdrawal bigint, by_session text, reference text, sent timestamptz DEFAULT NULL::timestamptz) returns text [owner] [api]
--   withdrawals.reject(of_withdrawal bigint, by_session text, why text) returns text [owner] [api]
--   withdrawals.request_rest(of_player integer, of_method integer, on_day date, by_session text) returns TABLE(answer text, withdrawal_id bigint, amount bigint) [owner] [api]
--   withdrawals.request(of_player integer, of_method integer, amount bigint, on_day date, key text, input_hash bytea) returns TABLE(reason text, withdrawal_id bigint, cash_after bigint) [owner] [api]
--   withdrawals.reverse(confirmed staff.proposal) returns void
--   withdrawals.risks(of_withdrawals bigint[]) returns TABLE(withdrawal_id bigint, earlier integer, payee_added_at timestamptz, payee_replaced boolean, payee_players integer, device_players integer, network_players integer, deposited bigint, staked bigint) [owner] [api]
--   withdrawals.send_identity(of_player integer, facts bytea, in_key text, child_of integer) returns text [owner] [api]
--   withdrawals.set_identity_terms(from_sum bigint, by_session text) returns void [owner] [api]
--   withdrawals.shared_with(of_withdrawal bigint) returns TABLE(hint text, player_id integer, username text) [owner] [api]
--   withdrawals.take_back_identity(of_player integer, seen_version integer, why text, by_session text) returns text [owner] [api]
--   withdrawals.take_chain_answer(of_withdrawal bigint, reference text, logs integer[], fault text) returns text [owner] [jobs]
--   withdrawals.take_payment(of_withdrawal bigint, taken_from text, by_session text) returns text [owner] [api]
--   withdrawals.take_reference(key text, of_batch integer) returns boolean
--   withdrawals.takes_two(withdrawal withdrawals.withdrawal) returns boolean [owner] [api] [jobs]
--   withdrawals.waits_for_identity(withdrawal withdrawals.withdrawal) returns boolean [owner] [api]
--   withdrawals.waits_for(withdrawal withdrawals.withdrawal, member integer) returns boolean [owner] [api] [jobs]

grant select on withdrawals.identity to sum28_api;
grant delete, select on withdrawals.identity to sum28_jobs;
grant update (encrypted_facts, key_id) on withdrawals.identity to sum28_jobs;
grant select on withdrawals.identity_picture to sum28_api;
grant delete, select on withdrawals.identity_picture to sum28_jobs;
grant update (encrypted_content, key_id) on withdrawals.identity_picture to sum28_jobs;
grant select on withdrawals.identity_terms to sum28_api;
grant select on withdrawals.identity_terms to sum28_jobs;
grant select on withdrawals.pay_method to sum28_api;
grant select on withdrawals.pay_method to sum28_jobs;
grant update (note) on withdrawals.pay_method to sum28_api;
grant update (encrypted_number, key_id) on withdrawals.pay_method to sum28_jobs;
grant usage on sequence withdrawals.pay_method_id_seq to sum28_api;
grant select on withdrawals.terms to sum28_application;
grant select on withdrawals.withdrawal to sum28_api;
grant select on withdrawals.withdrawal to sum28_jobs;

-- content =========================================================================================

create table content.about (
  lang text not null,
  html text not null,
  version integer not null default 1,
  changed_by integer,
  changed_at timestamptz,
  constraint about_pkey PRIMARY KEY (lang),
  constraint about_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES staff.member(id)
);
comment on table content.about is 'The page about the operator in each language.';
comment on column content.about.version is 'Rises by one with each change of the text in this language.';

create table content.announcement (
  id integer not null generated always as identity,
  published_at timestamptz,
  version integer not null default 1,
  changed_by integer,
  changed_at timestamptz,
  published_until timestamptz,
  announced_at timestamptz,
  constraint announcement_pkey PRIMARY KEY (id),
  constraint announcement_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES staff.member(id)
);
comment on table content.announcement is 'Announcements; published_at is null while one is a draft.';
comment on column content.announcement.version is 'Rises by one with each change; a form made from another version changes nothing.';
comment on column content.announcement.published_until is 'Until when it is shown; null: without an end. In the past: withdrawn, or over.';
comment on column content.announcement.announced_at is 'When players could first see it, which may be later than the published_at that it shows; null: then.';

create table content.announcement_reader (
  player_id integer not null,
  listed_at timestamptz not null,
  listed_before timestamptz,
  constraint announcement_reader_pkey PRIMARY KEY (player_id),
  constraint announcement_reader_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id)
);
comment on table content.announcement_reader is 'When a player last listed announcements that were new to him.';

create table content.announcement_text (
  announcement_id integer not null,
  lang text not null,
  title text not null,
  html text not null,
  constraint announcement_text_pkey PRIMARY KEY (announcement_id, lang),
  constraint announcement_text_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES content.announcement(id) ON DELETE CASCADE,
  constraint announcement_text_title_check CHECK ((title <> ''::text))
);
comment on table content.announcement_text is 'The title and the safe HTML of announcements in each language.';

create table content.article (
  id integer not null generated always as identity,
  category_id integer not null,
  image text not null default ''::text,
  top boolean not null default false,
  published_at timestamptz,
  version integer not null default 1,
  changed_by integer,
  changed_at timestamptz,
  published_until timestamptz,
  constraint article_pkey PRIMARY KEY (id),
  constraint article_category_id_fkey FOREIGN KEY (category_id) REFERENCES content.category(id),
  constraint article_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES staff.member(id)
);
comment on table content.article is 'Articles; published_at is null while one is a draft.';
comment on column content.article.version is 'Rises by one with each change; a form made from another version changes nothing.';
comment on column content.article.published_until is 'Until when it is shown; null: without an end. In the past: withdrawn, or over.';
CREATE INDEX article_by_category ON content.article USING btree (category_id, published_at DESC);

create table content.article_text (
  article_id integer not null,
  lang text not null,
  title text not null,
  html text not null,
  constraint article_text_pkey PRIMARY KEY (article_id, lang),
  constraint article_text_article_id_fkey FOREIGN KEY (article_id) REFERENCES content.article(id) ON DELETE CASCADE,
  constraint article_text_title_check CHECK ((title <> ''::text))
);
comment on table content.article_text is 'The title and the safe HTML of articles in each language.';

create table content.banner (
  id integer not null generated always as identity,
  position integer not null,
  image text not null,
  link text not null default ''::text,
  shown boolean not null default true,
  version integer not null default 1,
  changed_by integer,
  changed_at timestamptz,
  constraint banner_pkey PRIMARY KEY (id),
  constraint banner_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES staff.member(id)
);
comment on table content.banner is 'Pictures of the start screen.';
comment on column content.banner.version is 'Rises by one with each change; a form made from another version changes nothing.';

create table content.category (
  id integer not null generated always as identity,
  position integer not null default 0,
  constraint category_pkey PRIMARY KEY (id)
);
comment on table content.category is 'Categories of articles.';

create table content.category_name (
  category_id integer not null,
  lang text not null,
  name text not null,
  constraint category_name_pkey PRIMARY KEY (category_id, lang),
  constraint category_name_category_id_fkey FOREIGN KEY (category_id) REFERENCES content.category(id) ON DELETE CASCADE,
  constraint category_name_name_check CHECK ((name <> ''::text))
);
comment on table content.category_name is 'The names of categories in each language.';

create table content.promo (
  id integer not null generated always as identity,
  position integer not null,
  image text not null,
  shown boolean not null default true,
  version integer not null default 1,
  changed_by integer,
  changed_at timestamptz,
  constraint promo_pkey PRIMARY KEY (id),
  constraint promo_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES staff.member(id)
);
comment on table content.promo is 'Promotions.';
comment on column content.promo.version is 'Rises by one with each change; a form made from another version changes nothing.';

create table content.promo_title (
  promo_id integer not null,
  lang text not null,
  title text not null,
  constraint promo_title_pkey PRIMARY KEY (promo_id, lang),
  constraint promo_title_promo_id_fkey FOREIGN KEY (promo_id) REFERENCES content.promo(id) ON DELETE CASCADE,
  constraint promo_title_title_check CHECK ((title <> ''::text))
);
comment on table content.promo_title is 'The titles of promotions in each language.';

create table content.text (
  key text not null,
  lang text not null,
  content text not null,
  constraint text_pkey PRIMARY KEY (key, lang)
);
comment on table content.text is 'Texts by key and language.';

grant select on content.about to sum28_api;
grant select on content.announcement to sum28_api;
grant insert, select, update on content.announcement_reader to sum28_api;
grant select on content.announcement_reader to sum28_jobs;
grant select on content.announcement_text to sum28_api;
grant select on content.article to sum28_api;
grant select on content.article_text to sum28_api;
grant select on content.banner to sum28_api;
grant select on content.category to sum28_api;
grant select on content.category_name to sum28_api;
grant select on content.promo to sum28_api;
grant select on content.promo_title to sum28_api;
grant select on content.text to sum28_api;

-- own_account =====================================================================================

create table own_account.data_file (
  id bigint not null generated always as identity,
  player_id integer not null,
  requested_at timestamptz not null default app.now(),
  ready_at timestamptz,
  bytes bigint,
  constraint data_file_pkey PRIMARY KEY (id),
  constraint one_data_file UNIQUE (player_id),
  constraint data_file_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint data_file_bytes_check CHECK ((bytes > 0)),
  constraint data_file_check CHECK (((ready_at IS NULL) = (bytes IS NULL)))
);
comment on table own_account.data_file is 'Files with all data of a player that he asked for; kept for some days.';
CREATE INDEX data_file_by_age ON own_account.data_file USING btree (requested_at);

create table own_account.data_part (
  file_id bigint not null,
  position integer not null,
  encrypted_content bytea not null,
  key_id text not null,
  id integer not null generated always as identity,
  constraint data_part_pkey PRIMARY KEY (file_id, "position"),
  constraint data_part_id_key UNIQUE (id),
  constraint data_part_file_id_fkey FOREIGN KEY (file_id) REFERENCES own_account.data_file(id) ON DELETE CASCADE
);
comment on table own_account.data_part is 'The content of these files, in pieces, encrypted.';

create table own_account.terms (
  only_one boolean not null default true,
  closed_kept interval not null,
  constraint terms_pkey PRIMARY KEY (only_one),
  constraint terms_closed_kept_check CHECK ((closed_kept >= '1 day'::interval)),
  constraint terms_only_one_check CHECK (only_one)
);
comment on table own_account.terms is 'One row: how long a closed account keeps who its player is. The owner writes it at each start.';

-- Functions, written in functions/own_account.sql:
--   own_account.anonymise(rows_max integer) returns integer [owner] [jobs]
--   own_account.close_account(of_player integer, rest_below bigint, rest_to integer, on_day date) returns text [owner] [api]
--   own_account.close_idle_visitor(of_player integer, rest_below bigint) returns text [owner] [jobs]
--   own_account.forget_player(of_player integer) returns void
--   own_account.idle_before() returns timestamptz [jobs]
--   own_account.is_idle_visitor(player accounts.player, before timestamptz) returns boolean [jobs]
--   own_account.open_matters(of_player integer) returns TABLE(running bigint, withdrawing bigint, held bigint, balance bigint) [owner] [api]
--   own_account.payment_goes_on(of_player integer, moment timestamptz) returns boolean

grant delete, insert, select on own_account.data_file to sum28_api;
grant delete, select, update on own_account.data_file to sum28_jobs;
grant select on own_account.data_part to sum28_api;
grant delete, insert, select on own_account.data_part to sum28_jobs;
grant update (encrypted_content, key_id) on own_account.data_part to sum28_jobs;
grant select on own_account.terms to sum28_application;

-- disclosure ======================================================================================

create table disclosure.address (
  id integer not null generated always as identity,
  address text not null,
  statement text not null,
  signature text not null,
  added_by integer,
  added_at timestamptz not null,
  removed_by integer,
  removed_at timestamptz,
  constraint address_pkey PRIMARY KEY (id),
  constraint address_added_by_fkey FOREIGN KEY (added_by) REFERENCES staff.member(id),
  constraint address_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES staff.member(id),
  constraint address_address_check CHECK ((address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'::text)),
  constraint address_signature_check CHECK ((signature ~ '^[0-9a-f]{130}$'::text)),
  constraint address_statement_check CHECK (((length(statement) >= 1) AND (length(statement) <= 500))),
  constraint removal_is_whole CHECK (((removed_by IS NULL) = (removed_at IS NULL)))
);
comment on table disclosure.address is 'The house''s addresses on the chain, each with a signed statement.';
CREATE UNIQUE INDEX address_listed_once ON disclosure.address USING btree (address) WHERE (removed_at IS NULL);

create table disclosure.address_balance (
  number integer not null,
  address_id integer not null,
  amount bigint not null,
  constraint address_balance_pkey PRIMARY KEY (number, address_id),
  constraint address_balance_address_id_fkey FOREIGN KEY (address_id) REFERENCES disclosure.address(id),
  constraint address_balance_number_fkey FOREIGN KEY (number) REFERENCES disclosure.owed_count(number),
  constraint address_balance_amount_check CHECK ((amount >= 0))
);
comment on table disclosure.address_balance is 'What each address held at a count, in micro-units. Rows never change.';
CREATE TRIGGER address_balance_never_changes BEFORE DELETE OR UPDATE ON disclosure.address_balance FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

create table disclosure.bank_balance (
  proposal_id bigint not null,
  amount bigint not null,
  day date not null,
  constraint bank_balance_pkey PRIMARY KEY (proposal_id),
  constraint bank_balance_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES staff.proposal(id),
  constraint bank_balance_amount_check CHECK ((amount >= 0))
);
comment on table disclosure.bank_balance is 'What the bank''s statements said, as one person proposed and another confirmed. Rows never change.';
CREATE TRIGGER bank_balance_never_changes BEFORE DELETE OR UPDATE ON disclosure.bank_balance FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

create table disclosure.owed_count (
  number integer not null,
  counted_at timestamptz not null,
  size integer not null,
  cash bigint not null,
  held bigint not null,
  at_risk bigint not null,
  total bigint not null,
  root bytea not null,
  salt_key bytea not null,
  on_chain bigint not null,
  block bigint,
  at_bank bigint,
  constraint owed_count_pkey PRIMARY KEY (number),
  constraint owed_count_at_bank_check CHECK ((at_bank >= 0)),
  constraint owed_count_at_risk_check CHECK ((at_risk >= 0)),
  constraint owed_count_block_check CHECK ((block >= 0)),
  constraint owed_count_cash_check CHECK ((cash >= 0)),
  constraint owed_count_held_check CHECK ((held >= 0)),
  constraint owed_count_number_check CHECK ((number > 0)),
  constraint owed_count_on_chain_check CHECK ((on_chain >= 0)),
  constraint owed_count_root_check CHECK ((octet_length(root) = 32)),
  constraint owed_count_salt_key_check CHECK ((octet_length(salt_key) = 32)),
  constraint owed_count_size_check CHECK (((size >= 256) AND ((size & (size - 1)) = 0))),
  constraint total_is_of_all CHECK ((total = ((cash + held) + at_risk)))
);
comment on table disclosure.owed_count is 'Counts of what is owed to people, as Merkle sum trees, and of what the house held then. Rows never change.';
CREATE TRIGGER owed_count_never_changes BEFORE DELETE OR UPDATE ON disclosure.owed_count FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER owed_count_never_truncated BEFORE TRUNCATE ON disclosure.owed_count FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table disclosure.owed_leaf (
  number integer not null,
  position integer not null,
  player_id integer not null,
  cash bigint not null,
  held bigint not null,
  at_risk bigint not null,
  constraint owed_leaf_pkey PRIMARY KEY (number, "position"),
  constraint player_counted_once UNIQUE (player_id, number),
  constraint owed_leaf_at_risk_check CHECK ((at_risk >= 0)),
  constraint owed_leaf_cash_check CHECK ((cash >= 0)),
  constraint owed_leaf_held_check CHECK ((held >= 0)),
  constraint owed_leaf_position_check CHECK (("position" >= 0))
);
comment on table disclosure.owed_leaf is 'The leaves of the last counts, in places by chance; the other places are empty.';

create table disclosure.owed_node (
  number integer not null,
  level smallint not null,
  position integer not null,
  node bytea not null,
  constraint owed_node_pkey PRIMARY KEY (number, level, "position"),
  constraint owed_node_level_check CHECK ((level >= 8)),
  constraint owed_node_node_check CHECK ((octet_length(node) = 40)),
  constraint owed_node_position_check CHECK (("position" >= 0))
);
comment on table disclosure.owed_node is 'The roots of subtrees of 256 nodes, and of the last ones. Follows from disclosure.owed_leaf.';

create table disclosure.return_day (
  day date not null,
  game_id smallint not null,
  rule_id smallint not null,
  rounds integer not null,
  wins integer not null,
  staked bigint not null,
  paid bigint not null,
  expected numeric not null,
  variance numeric not null,
  largest bigint not null,
  constraint return_day_pkey PRIMARY KEY (day, game_id, rule_id),
  constraint return_day_game_id_fkey FOREIGN KEY (game_id) REFERENCES games.game(id),
  constraint return_day_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES games.rule(id),
  constraint return_day_check CHECK (((wins >= 0) AND (wins <= rounds))),
  constraint return_day_rounds_check CHECK ((rounds > 0))
);
comment on table disclosure.return_day is 'What people staked on each outcome of a game day, and were paid. Rows never change.';
CREATE TRIGGER return_day_never_changes BEFORE DELETE OR UPDATE ON disclosure.return_day FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

create table disclosure.return_report (
  day date not null,
  tests integer not null,
  unlikely integer not null,
  made_at timestamptz not null default app.now(),
  constraint return_report_pkey PRIMARY KEY (day),
  constraint return_report_check CHECK (((unlikely >= 0) AND (unlikely <= tests))),
  constraint return_report_tests_check CHECK ((tests >= 0))
);
comment on table disclosure.return_report is 'The game days whose returns were compared with theory. Rows never change.';
CREATE TRIGGER return_report_never_changes BEFORE DELETE OR UPDATE ON disclosure.return_report FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

-- Functions, written in functions/disclosure.sql:
--   disclosure.add_address(of_address text, said text, signed text, by_session text) returns boolean [owner] [api]
--   disclosure.add_own_address(of_address text, said text, signed text) returns boolean [owner] [jobs]
--   disclosure.count_owed(address_ids integer[], amounts bigint[], at_block bigint) returns integer [owner] [jobs]
--   disclosure.day_to_report(before_day date) returns date [jobs]
--   disclosure.join_leaves(of_number integer, size integer, salt_key bytea) returns bytea
--   disclosure.join_nodes(one bytea, other bytea) returns bytea
--   disclosure.judge_bank_balance(proposed staff.proposal, of_role text) returns text
--   disclosure.lay_leaves(of_number integer) returns integer
--   disclosure.leaf_text(number integer, place integer, leaf disclosure.owed_leaf, salt_key bytea) returns text
--   disclosure.note_count(of_number integer) returns void
--   disclosure.remove_address(of_id integer, by_session text) returns boolean [owner] [api]
--   disclosure.report_returns(of_day date) returns void [owner] [jobs]
--   disclosure.returns_of_day(of_day date) returns SETOF disclosure.return_day
--   disclosure.returns_until(of_day date) returns TABLE(game_id smallint, rule_id smallint, days integer, rounds integer, wins integer, staked bigint, paid bigint, expected bigint, deviation bigint, chance double precision) [api]
--   disclosure.root_of(nodes bytea[]) returns bytea
--   disclosure.set_bank_balance(confirmed staff.proposal) returns void
--   disclosure.sum_of(node bytea) returns bigint
--   disclosure.tile_of_leaves(of_number integer, tile integer) returns SETOF text [owner] [api]

grant select on disclosure.address to sum28_api;
grant select on disclosure.address to sum28_jobs;
grant select on disclosure.address_balance to sum28_api;
grant select on disclosure.address_balance to sum28_jobs;
grant select on disclosure.bank_balance to sum28_api;
grant select on disclosure.bank_balance to sum28_jobs;
grant select (at_bank, at_risk, block, cash, counted_at, held, number, on_chain, root, size, total) on disclosure.owed_count to sum28_api;
grant select (at_bank, at_risk, block, cash, counted_at, held, number, on_chain, root, size, total) on disclosure.owed_count to sum28_jobs;
grant select on disclosure.owed_leaf to sum28_api;
grant select on disclosure.owed_leaf to sum28_jobs;
grant select on disclosure.owed_node to sum28_api;
grant select on disclosure.owed_node to sum28_jobs;
grant select on disclosure.return_day to sum28_api;
grant select on disclosure.return_day to sum28_jobs;
grant select on disclosure.return_report to sum28_api;
grant select on disclosure.return_report to sum28_jobs;

-- console_start ===================================================================================

create table console_start.counted (
  game_id smallint not null,
  through timestamptz not null,
  constraint counted_pkey PRIMARY KEY (game_id),
  constraint counted_game_id_fkey FOREIGN KEY (game_id) REFERENCES games.game(id)
);
comment on table console_start.counted is 'How far the rounds of each game are counted.';

create table console_start.day_figure (
  game_day date not null,
  game_id smallint not null,
  room_id integer not null,
  robots boolean not null,
  bets bigint not null,
  staked bigint not null,
  paid bigint not null,
  expected numeric not null,
  variance numeric not null,
  constraint day_figure_pkey PRIMARY KEY (game_day, game_id, room_id, robots)
);
comment on table console_start.day_figure is 'The sums of round_figure, by game day.';

create table console_start.player_figure (
  game_day date not null,
  player_id integer not null,
  room_id integer not null,
  robots boolean not null,
  bets bigint not null,
  staked bigint not null,
  paid bigint not null,
  expected numeric not null,
  constraint player_figure_pkey PRIMARY KEY (game_day, player_id, room_id)
);
comment on table console_start.player_figure is 'What each player, or robot, staked and was paid in the finished rounds of a game day, by room.';
CREATE INDEX player_figure_of_player ON console_start.player_figure USING btree (player_id, game_day);

create table console_start.round_figure (
  game_id smallint not null,
  issue bigint not null,
  room_id integer not null,
  robots boolean not null,
  game_day date not null,
  ended_at timestamptz not null,
  bets integer not null,
  staked bigint not null,
  paid bigint not null,
  expected numeric not null,
  variance numeric not null,
  constraint round_figure_pkey PRIMARY KEY (game_id, issue, room_id, robots)
);
comment on table console_start.round_figure is 'What players and robots staked and were paid in a finished round, by room; room 0 is all of them.';
CREATE INDEX round_figure_by_day ON console_start.round_figure USING btree (game_day, room_id);

-- Functions, written in functions/console_start.sql:
--   console_start.add_to_day(of_game smallint, of_issue bigint) returns void
--   console_start.add_to_players(of_game smallint, of_issue bigint, of_day date) returns void
--   console_start.count_rounds(rounds_max integer) returns integer [owner] [jobs]
--   console_start.count_round(of_game smallint, of_issue bigint, of_day date, ended timestamptz) returns void
--   console_start.expected_of(of_game smallint, of_issue bigint) returns TABLE(room_id integer, robots boolean, expected numeric, variance numeric)
--   console_start.note_counted(of_game smallint) returns void

-- View console_start.money_moved, written in functions/console_start.sql: posted_at timestamptz, player_id integer, deposited bigint, withdrawn bigint, adjusted bigint

grant select on console_start.day_figure to sum28_api;
grant select on console_start.day_figure to sum28_jobs;
grant select on console_start.money_moved to sum28_api;
grant select on console_start.money_moved to sum28_jobs;
grant select on console_start.player_figure to sum28_api;
grant select on console_start.player_figure to sum28_jobs;
grant select on console_start.round_figure to sum28_api;
grant select on console_start.round_figure to sum28_jobs;

-- console_players =================================================================================

create table console_players.contact (
  id bigint not null generated always as identity,
  player_id integer not null,
  day date not null,
  channel text not null,
  text text not null,
  written_by integer not null,
  written_at timestamptz not null,
  constraint contact_pkey PRIMARY KEY (id),
  constraint contact_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint contact_written_by_fkey FOREIGN KEY (written_by) REFERENCES staff.member(id),
  constraint contact_channel_check CHECK ((channel = ANY (ARRAY['phone'::text, 'mail'::text, 'chat'::text]))),
  constraint contact_text_check CHECK (((text <> ''::text) AND (length(text) <= 500)))
);
comment on table console_players.contact is 'Contacts of staff with players about their play. Rows are added and never changed.';
CREATE INDEX contact_by_time ON console_players.contact USING btree (written_at);
CREATE INDEX contact_of_player ON console_players.contact USING btree (player_id, id);
CREATE TRIGGER contact_never_changes BEFORE DELETE OR UPDATE ON console_players.contact FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER contact_never_truncated BEFORE TRUNCATE ON console_players.contact FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table console_players.night (
  player_id integer not null,
  day date not null,
  bets integer not null,
  staked bigint not null,
  constraint night_pkey PRIMARY KEY (day, player_id),
  constraint night_bets_check CHECK ((bets > 0)),
  constraint night_staked_check CHECK ((staked > 0))
);
comment on table console_players.night is 'What each person bet in a night, from midnight to 5 in the morning.';

create table console_players.note (
  id bigint not null generated always as identity,
  player_id integer not null,
  text text not null,
  written_by integer not null,
  written_at timestamptz not null,
  constraint note_pkey PRIMARY KEY (id),
  constraint note_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint note_written_by_fkey FOREIGN KEY (written_by) REFERENCES staff.member(id),
  constraint note_text_check CHECK (((text <> ''::text) AND (length(text) <= 500)))
);
comment on table console_players.note is 'What staff have written down about a player, for each other. Rows are added and never changed.';
CREATE INDEX note_of_player ON console_players.note USING btree (player_id, id);
CREATE TRIGGER note_never_changes BEFORE DELETE OR UPDATE ON console_players.note FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER note_never_truncated BEFORE TRUNCATE ON console_players.note FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

create table console_players.sign (
  id bigint not null generated always as identity,
  player_id integer not null,
  kind text not null,
  since_day date not null,
  until_day date not null,
  facts jsonb not null,
  constraint sign_pkey PRIMARY KEY (id),
  constraint sign_player_id_kind_key UNIQUE (player_id, kind),
  constraint sign_player_id_fkey FOREIGN KEY (player_id) REFERENCES accounts.player(id),
  constraint sign_check CHECK ((until_day >= since_day)),
  constraint sign_facts_check CHECK ((jsonb_typeof(facts) = 'array'::text)),
  constraint sign_kind_check CHECK ((kind = ANY (ARRAY['deposits_growing'::text, 'limits_raised'::text, 'chasing_losses'::text, 'nights'::text, 'withdrawals_rejected'::text])))
);
comment on table console_players.sign is 'The signs that are found now, one row for each player and kind.';
CREATE INDEX sign_by_kind ON console_players.sign USING btree (kind, id);

create table console_players.signs_day (
  day date not null,
  found_at timestamptz not null,
  constraint signs_day_pkey PRIMARY KEY (day)
);
comment on table console_players.signs_day is 'The days on whose end signs were looked for: up to and including the day before each.';

create table console_players.template (
  id integer not null generated always as identity,
  name text not null,
  version integer not null default 1,
  changed_by integer not null,
  changed_at timestamptz not null,
  constraint template_pkey PRIMARY KEY (id),
  constraint template_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES staff.member(id),
  constraint template_name_check CHECK (((name <> ''::text) AND (length(name) <= 60)))
);
comment on table console_players.template is 'Templates of messages of staff to players.';

create table console_players.template_text (
  template_id integer not null,
  lang text not null,
  text text not null,
  constraint template_text_pkey PRIMARY KEY (template_id, lang),
  constraint template_text_template_id_fkey FOREIGN KEY (template_id) REFERENCES console_players.template(id) ON DELETE CASCADE,
  constraint template_text_lang_check CHECK ((lang = ANY (ARRAY['en'::text, 'zh'::text, 'zh-TW'::text, 'ja'::text, 'ko'::text, 'vi'::text, 'id'::text]))),
  constraint template_text_text_check CHECK (((text <> ''::text) AND (length(text) <= 500)))
);
comment on table console_players.template_text is 'The text of each template in each language; plain text, English always.';

-- Functions, written in functions/console_players.sql:
--   console_players.add_contact(of_player integer, on_day date, by_channel text, summary text, by_session text) returns text [owner] [api]
--   console_players.add_note(of_player integer, note text, by_session text) returns text [owner] [api]
--   console_players.chased_losses(until_day date) returns TABLE(player_id integer, facts jsonb)
--   console_players.count_night(of_day date) returns void
--   console_players.end_sessions(of_player integer, by_session text) returns text [owner] [api]
--   console_players.find_signs(until_day date) returns integer [owner] [jobs]
--   console_players.growing_deposits(until_day date) returns TABLE(player_id integer, facts jsonb)
--   console_players.judge_code_reset(proposed staff.proposal, of_role text) returns text
--   console_players.judge_factor_reset(proposed staff.proposal, of_role text) returns text
--   console_players.knows_code(of_player integer, since timestamptz) returns boolean
--   console_players.linked_with(of_player integer, most integer) returns TABLE(by text, other_id integer, username text, state text, at timestamptz, crowded integer) [owner] [api]
--   console_players.lock_loser(of_player integer) returns text
--   console_players.played_nights(until_day date) returns TABLE(player_id integer, facts jsonb)
--   console_players.raised_limits(until_day date) returns TABLE(player_id integer, facts jsonb)
--   console_players.rejected_withdrawals(until_day date) returns TABLE(player_id integer, facts jsonb)
--   console_players.remove_template(of_id integer, of_version integer, by_session text) returns text [owner] [api]
--   console_players.require_password(of_player integer, by_session text) returns text [owner] [api]
--   console_players.reset_code(confirmed staff.proposal) returns void
--   console_players.reset_factor(confirmed staff.proposal) returns void
--   console_players.set_template(of_id integer, of_version integer, of_name text, langs text[], texts text[], by_session text) returns text [owner] [api]

grant select on console_players.contact to sum28_api;
grant select on console_players.contact to sum28_jobs;
grant select on console_players.note to sum28_api;
grant select on console_players.note to sum28_jobs;
grant select on console_players.sign to sum28_api;
grant select on console_players.sign to sum28_jobs;
grant select on console_players.template to sum28_api;
grant select on console_players.template_text to sum28_api;

-- console_money ===================================================================================

create table console_money.balance_snapshot (
  at timestamptz not null,
  account text not null,
  kind text not null,
  debit numeric not null,
  credit numeric not null,
  constraint balance_snapshot_pkey PRIMARY KEY (at, account, kind)
);
comment on table console_money.balance_snapshot is 'What each account had in and out, by kind, before a moment: sums of the journal.';

create table console_money.bank_batch (
  id integer not null generated always as identity,
  kind text not null,
  state text not null default 'open'::text,
  made_by integer not null,
  made_at timestamptz not null,
  ended_by integer,
  ended_at timestamptz,
  cancel_reason text,
  constraint bank_batch_pkey PRIMARY KEY (id),
  constraint bank_batch_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES staff.member(id),
  constraint bank_batch_made_by_fkey FOREIGN KEY (made_by) REFERENCES staff.member(id),
  constraint bank_batch_kind_check CHECK ((kind = ANY (ARRAY['bank'::text, 'wallet'::text]))),
  constraint bank_batch_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'cancelled'::text]))),
  constraint cancelled_with_a_reason CHECK (((state <> 'cancelled'::text) OR (cancel_reason IS NOT NULL))),
  constraint end_is_whole CHECK ((((ended_by IS NULL) = (state = 'open'::text)) AND ((ended_at IS NULL) = (state = 'open'::text))))
);
comment on table console_money.bank_batch is 'Exports for the bank, or for the operator''s wallet: each a batch of approved withdrawals.';
CREATE INDEX bank_batch_by_state ON console_money.bank_batch USING btree (state, id);

create table console_money.bank_payment (
  batch_id integer not null,
  withdrawal_id bigint not null,
  state text not null default 'sent'::text,
  reference text,
  reason text,
  answered_by integer,
  answered_at timestamptz,
  released_by integer,
  released_at timestamptz,
  constraint bank_payment_pkey PRIMARY KEY (batch_id, withdrawal_id),
  constraint bank_payment_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES staff.member(id),
  constraint bank_payment_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES console_money.bank_batch(id),
  constraint bank_payment_released_by_fkey FOREIGN KEY (released_by) REFERENCES staff.member(id),
  constraint bank_payment_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals.withdrawal(id),
  constraint answer_is_whole CHECK ((((answered_at IS NULL) = (state = 'sent'::text)) AND ((answered_by IS NULL) = (answered_at IS NULL)))),
  constraint bank_payment_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'paid'::text, 'failed'::text]))),
  constraint failed_with_reason CHECK (((state = 'failed'::text) = (reason IS NOT NULL))),
  constraint paid_with_reference CHECK (((state = 'paid'::text) = (reference IS NOT NULL))),
  constraint released_after_failure CHECK (((released_by IS NULL) OR (state = 'failed'::text))),
  constraint released_by_another CHECK (((released_by IS DISTINCT FROM answered_by) OR (released_by IS NULL))),
  constraint released_whole CHECK (((released_by IS NULL) = (released_at IS NULL)))
);
comment on table console_money.bank_payment is 'The withdrawals of a batch for the bank, and what the bank answered of each.';
comment on column console_money.bank_payment.released_by is 'Who let it go into the next batch after the bank had not paid it.';
CREATE INDEX bank_payment_failed ON console_money.bank_payment USING btree (withdrawal_id) WHERE (state = 'failed'::text);
CREATE INDEX bank_payment_of_withdrawal ON console_money.bank_payment USING btree (withdrawal_id);
CREATE UNIQUE INDEX bank_payment_once ON console_money.bank_payment USING btree (withdrawal_id) WHERE (state = ANY (ARRAY['sent'::text, 'paid'::text]));

create table console_money.deposit_snapshot (
  at timestamptz not null,
  by_chain numeric not null,
  by_bank numeric not null,
  constraint deposit_snapshot_pkey PRIMARY KEY (at)
);
comment on table console_money.deposit_snapshot is 'What chain and bank had brought to players before a moment: sums that are compared with the journal.';

-- Functions, written in functions/console_money.sql:
--   console_money.adjustment_left(of_player integer, except_id bigint, of_role text, of_kind text) returns bigint [owner] [api]
--   console_money.adjust(confirmed staff.proposal) returns void
--   console_money.answer_batch(of_batch integer, answers jsonb, by_session text) returns TABLE(line integer, withdrawal_id bigint, outcome text) [owner] [api]
--   console_money.cancel_batch(of_batch integer, why text, by_session text) returns text [owner] [api]
--   console_money.correct_payout(of_withdrawal bigint, by_session text, reference text) returns text [owner] [api]
--   console_money.deposited_before(until timestamptz, OUT by_chain numeric, OUT by_bank numeric) returns record [owner] [api]
--   console_money.deposited_between(since timestamptz, until timestamptz, OUT by_chain numeric, OUT by_bank numeric) returns record [jobs]
--   console_money.give_refund_back(of_deposit bigint, by_session text) returns text [owner] [api]
--   console_money.judge_adjustment(proposed staff.proposal, of_role text) returns text
--   console_money.judge_refund(proposed staff.proposal, of_role text) returns text
--   console_money.left_of_deposit(of_player integer, deposit bigint, except_id bigint) returns bigint
--   console_money.left_out(payable withdrawals.withdrawal) returns text
--   console_money.lock_players(due bigint[]) returns void
--   console_money.make_batch(payments_max integer, by_session text, of_kind text DEFAULT 'bank'::text) returns TABLE(batch_id integer, payments integer, left_frozen integer, left_held integer, left_reversing integer, left_taken integer, left_unreleased integer) [owner] [api]
--   console_money.moved_between(since timestamptz, until timestamptz) returns TABLE(account text, kind text, debit numeric, credit numeric) [jobs]
--   console_money.obstacle_of_refund(proposed staff.proposal) returns text
--   console_money.refund(confirmed staff.proposal) returns void
--   console_money.release_batch(of_batch integer, by_session text) returns TABLE(answer text, released bigint[]) [owner] [api]
--   console_money.release_payment(of_withdrawal bigint, by_session text) returns text [owner] [api]
--   console_money.release_refund(of_deposit bigint, by_session text) returns text [owner] [api]
--   console_money.return_refund(of_deposit bigint, by_session text) returns text [owner] [api]
--   console_money.snapshot_balances() returns boolean [owner] [jobs]
--   console_money.take_answer(of_batch integer, of_withdrawal bigint, amount bigint, new_state text, new_reference text, new_reason text, in_session text) returns text
--   console_money.take_batch(of_batch integer, taken_from text, by_session text) returns TABLE(answer text, dropped bigint[]) [owner] [api]
--   console_money.take_refund_answer(of_deposit bigint, payment text, fault text) returns void [owner] [jobs]
--   console_money.take_refund(of_deposit bigint, taken_from text, by_session text) returns text [owner] [api]
--   console_money.trial_balance(until timestamptz) returns TABLE(account text, kind text, debit numeric, credit numeric) [owner] [api]
--   console_money.waits_for(proposal staff.proposal, member integer) returns boolean [owner] [api] [jobs]

grant select on console_money.balance_snapshot to sum28_api;
grant select on console_money.balance_snapshot to sum28_jobs;
grant select on console_money.bank_batch to sum28_api;
grant select on console_money.bank_batch to sum28_jobs;
grant select on console_money.bank_payment to sum28_api;
grant select on console_money.bank_payment to sum28_jobs;
grant select on console_money.deposit_snapshot to sum28_api;
grant select on console_money.deposit_snapshot to sum28_jobs;

-- console_games ===================================================================================

-- Functions, written in functions/console_games.sql:
--   console_games.after_restore(by_name text) returns void
--   console_games.begin_changes() returns trigger
--   console_games.change_odds(confirmed staff.proposal) returns void
--   console_games.first_bet_since(of_room integer, since timestamptz) returns bigint [api]
--   console_games.judge_odds_change(proposed staff.proposal, of_role text) returns text
--   console_games.judge_room_change(proposed staff.proposal, of_role text) returns text
--   console_games.waiting_change(of_room integer, other_than bigint) returns text [api]

-- console_content =================================================================================

-- Functions, written in functions/console_content.sql:
--   console_content.forget_unused_pictures(days integer) returns integer [owner] [jobs]
--   console_content.keep_picture(picture text, content bytea, by_session text) returns text [owner] [api]
--   console_content.lock_piece(kind text, of_id integer) returns integer
--   console_content.make_piece(kind text, of_category integer, title text, by_session text) returns integer [owner] [api]
--   console_content.names_picture(picture text) returns boolean
--   console_content.raise_one(kind text, of_id integer, of_version integer, by_session text) returns text [owner] [api]
--   console_content.set_about(of_lang text, of_version integer, safe_html text, by_session text) returns text [owner] [api]
--   console_content.set_article(of_id integer, of_version integer, category integer, picture text, hot boolean, by_session text) returns text [owner] [api]
--   console_content.set_banner(of_id integer, of_version integer, picture text, leads_to text, is_shown boolean, by_session text) returns text [owner] [api]
--   console_content.set_promo(of_id integer, of_version integer, picture text, is_shown boolean, langs text[], titles text[], by_session text) returns text [owner] [api]
--   console_content.set_shown(kind text, of_id integer, of_version integer, since timestamptz, until timestamptz, by_session text) returns text [owner] [api]
--   console_content.set_text(kind text, of_id integer, of_version integer, of_lang text, title text, html text, by_session text) returns text [owner] [api]
--   console_content.touch_piece(kind text, of_id integer, who integer) returns void
