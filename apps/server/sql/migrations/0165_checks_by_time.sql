-- What the daily check of the books reads since the moment of the last one.

create index concurrently transfer_by_time on deposits.transfer (block_at);
create index concurrently assignment_by_decision on deposits.assignment (decided_at) where state = 'confirmed';
create index concurrently bank_deposit_by_transaction on deposits.bank_deposit
  ((substring(lower(regexp_replace(bank_reference, '\s', '', 'g')) from '[0-9a-f]{64}'))) where state = 'confirmed';
create index concurrently withdrawal_by_payout on withdrawals.withdrawal (paid_at) where paid_at is not null;
create index concurrently held_deposit_decided on protection.held_deposit (decided_at);
create index concurrently adjustment_decided on wallet.adjustment (decided_at);
