-- Batches of approved bank withdrawals that are exported for the bank, and what the bank answered of each.

create table console_money.bank_batch (
  id integer generated always as identity primary key,
  -- open: the bank has not answered all of it.
  state text not null default 'open' check (state in ('open', 'done', 'cancelled')),
  made_by integer not null references staff.member,
  made_at timestamptz not null,
  -- Who took in the last of the bank's answers, or cancelled it.
  ended_by integer references staff.member,
  ended_at timestamptz,
  cancel_reason text,
  constraint end_is_whole check ((ended_by is null) = (state = 'open') and (ended_at is null) = (state = 'open')),
  constraint cancelled_by_another check (state <> 'cancelled' or ended_by <> made_by and cancel_reason is not null)
);
comment on table console_money.bank_batch is 'Exports for the bank: each a batch of approved bank withdrawals.';

create table console_money.bank_payment (
  batch_id integer not null references console_money.bank_batch,
  withdrawal_id bigint not null references withdrawals.withdrawal (id),
  -- sent: the bank has not answered yet.
  state text not null default 'sent' check (state in ('sent', 'paid', 'failed', 'cancelled')),
  -- Of the payment, as the bank wrote it.
  reference text,
  -- Why the bank did not pay.
  reason text,
  answered_by integer references staff.member,
  answered_at timestamptz,
  primary key (batch_id, withdrawal_id),
  constraint paid_with_reference check ((state = 'paid') = (reference is not null)),
  constraint failed_with_reason check ((state = 'failed') = (reason is not null)),
  constraint answer_is_whole check ((answered_at is null) = (state in ('sent', 'cancelled'))
    and (answered_by is null) = (answered_at is null))
);
comment on table console_money.bank_payment is 'The withdrawals of a batch for the bank, and what the bank answered of each.';

-- A withdrawal is in one batch that the bank may still pay, or has paid.
create unique index bank_payment_once on console_money.bank_payment (withdrawal_id) where state in ('sent', 'paid');
-- Approved withdrawals that are not paid yet.
create index withdrawal_to_pay on withdrawals.withdrawal (id) where state = 'approved' and paid_at is null;
