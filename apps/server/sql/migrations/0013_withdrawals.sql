-- Pay methods, and withdrawals: held at the request, paid out or returned.

create schema withdrawals;

create table withdrawals.pay_method (
  id integer generated always as identity primary key,
  player_id integer not null references accounts.player,
  kind text not null check (kind in ('bank', 'wallet')),
  -- Card number or wallet address, encrypted; what may be shown of it; and the key it is under.
  sealed_number bytea not null,
  shown_number text not null,
  key_id text not null,
  -- Bank: the holder. Wallet: the wallet's type.
  label text not null,
  bank_name text not null default '',
  branch_code text not null default '',
  branch_name text not null default '',
  note text not null default '',
  created_at timestamptz not null default app.now(),
  -- A method that was replaced stays for the withdrawals that name it.
  replaced_at timestamptz
);
create unique index one_pay_method_of_a_kind on withdrawals.pay_method (player_id, kind)
  where replaced_at is null;

create sequence withdrawals.withdrawal_id;

create table withdrawals.withdrawal (
  player_id integer not null references accounts.player,
  id bigint not null unique,
  pay_method_id integer not null references withdrawals.pay_method,
  amount bigint not null check (amount > 0),
  -- The day its postings are booked on.
  booked_on date not null,
  cash_after bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected')),
  requested_at timestamptz not null default app.now(),
  first_approved_by integer references staff.member,
  approved_by integer references staff.member,
  rejected_by integer references staff.member,
  reject_reason text,
  decided_at timestamptz,
  -- The transaction or bank reference of the payout, once it was made.
  payout_reference text,
  payout_recorded_by integer references staff.member,
  paid_at timestamptz,
  primary key (player_id, id),
  check ((state = 'waiting') = (decided_at is null)),
  check ((state = 'approved') = (approved_by is not null)),
  check ((state = 'rejected') = (rejected_by is not null)),
  check (first_approved_by is null or first_approved_by is distinct from approved_by),
  check ((payout_reference is null) = (paid_at is null)),
  check (payout_reference is null or state = 'approved')
);
create unique index one_waiting_withdrawal on withdrawals.withdrawal (player_id) where state = 'waiting';

-- However two people type its blanks and letters.
create unique index payout_reference_once on withdrawals.withdrawal
  (upper(regexp_replace(payout_reference, '\s', '', 'g'))) where payout_reference is not null;

-- The orders in which staff see them: who waits, longest first, before the decided, latest first.
create index withdrawal_in_order on withdrawals.withdrawal
  ((state <> 'waiting'), (case state when 'waiting' then id else -id end));
create index withdrawal_in_state on withdrawals.withdrawal
  (state, (case state when 'waiting' then id else -id end));

-- The terms of withdrawals, as the operator configured them. The owner writes them when the product
-- starts; whoever has only the application's role reads them. Until they are written, the strict ones.
create table withdrawals.terms (
  only_one boolean primary key default true check (only_one),
  -- How long a change of what a thief would change holds withdrawals.
  hold interval not null check (hold >= '0'),
  -- From this amount on two people have to approve, in micro-units.
  two_persons_from bigint not null check (two_persons_from >= 0)
);

insert into withdrawals.terms (hold, two_persons_from) values ('24 hours', 10000000000);
