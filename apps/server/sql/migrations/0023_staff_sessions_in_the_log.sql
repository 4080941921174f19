-- Staff act by the token of their session: the log names the session. And seals of the log, made with
-- a key that is not in the database.

alter table staff.session add column id bigint generated always as identity;
alter table staff.session add constraint session_number unique (id);

-- In which session it was done; none for the machine's console, and for what is older than this column.
alter table staff.audit add column session_id bigint references staff.session (id);

-- A row's keyed hash: it covers the row and, by the chain, all before it.
create table staff.audit_seal (
  audit_id bigint not null,
  key_id text not null,
  mac bytea not null check (octet_length(mac) = 32),
  sealed_at timestamptz not null default app.now(),
  primary key (audit_id, key_id)
);

-- The forms that believed whoever called them about who acts.
drop function if exists staff.audit_break();
drop function if exists staff.audit_check(bigint, bytea, bigint, bigint);
drop function if exists staff.audit_hash(bigint, timestamptz, integer, text, text, jsonb, bytea);
drop function if exists staff.close_colleague(text, integer);
drop function if exists accounts.freeze_player(integer, text, integer);
drop function if exists accounts.unfreeze_player(integer, text, integer);
drop function if exists games.stop_betting(text, integer, text, text, integer);
drop function if exists games.open_betting(text, integer);
drop function if exists robots.set_number(integer, integer);
drop function if exists deposits.record_bank_deposit(integer, bigint, text, integer);
drop function if exists deposits.confirm_bank_deposit(bigint, integer, date);
drop function if exists deposits.refuse_bank_deposit(bigint, integer, text);
drop function if exists deposits.set_bank_account(text, text, text, integer);
drop function if exists deposits.propose_assignment(text, integer, integer, text, integer);
drop function if exists deposits.confirm_assignment(bigint, integer, date);
drop function if exists deposits.refuse_assignment(bigint, integer, text);
drop function if exists deposits.dismiss_transfer(text, integer, integer, text);
drop function if exists deposits.reopen_transfer(text, integer, integer, text);
drop function if exists withdrawals.approve(bigint, integer);
drop function if exists withdrawals.reject(bigint, integer, text);
drop function if exists withdrawals.record_payout(bigint, integer, text);
