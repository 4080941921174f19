-- A withdrawal that is in a batch for the bank, or that the bank did not pay, is not paid by another way at the
-- same time.

alter table withdrawals.withdrawal
  -- In a batch whose answer is awaited: nobody records a payout by hand meanwhile.
  add column at_bank boolean not null default false;
update withdrawals.withdrawal set at_bank = true
where id in (select withdrawal_id from console_money.bank_payment where state = 'sent');
comment on column withdrawals.withdrawal.at_bank is 'Whether it is in a batch for the bank whose answer is awaited.';

alter table console_money.bank_payment
  -- Who let a withdrawal that the bank did not pay go into the next batch; another than who took the answer.
  add column released_by integer references staff.member,
  add column released_at timestamptz,
  add constraint released_whole check ((released_by is null) = (released_at is null)),
  add constraint released_after_failure check (released_by is null or state = 'failed'),
  add constraint released_by_another check (released_by is distinct from answered_by or released_by is null);
comment on column console_money.bank_payment.released_by is 'Who let it go into the next batch after the bank had not paid it.';
create index bank_payment_failed on console_money.bank_payment (withdrawal_id) where state = 'failed';
