-- What makes references of banks and of payouts one and the same: compatible forms folded (NFKC), no
-- blanks, upper case, and printable ASCII alone. Of those that stand, whatever looks like a letter of
-- ASCII is read as that letter, and the rest that is none falls away; where two were taken for
-- different and are one, the later keeps no key, and the audit log names both for staff to look at.

alter table deposits.bank_deposit drop column reference_key;
alter table deposits.bank_deposit add column reference_key text;
alter table withdrawals.withdrawal add column payout_key text;
drop index withdrawals.payout_reference_once;


create unique index bank_reference_once on deposits.bank_deposit (reference_key) where state <> 'refused';
create unique index payout_reference_once on withdrawals.withdrawal (payout_key);

-- Who approves does not record the payout. What was recorded before stands.
alter table withdrawals.withdrawal add constraint paid_by_another check (
  payout_recorded_by is null
  or (payout_recorded_by is distinct from approved_by and payout_recorded_by is distinct from first_approved_by)
);
-- What a player was approved within a day, for what takes two people.
create index withdrawal_approved_by_time on withdrawals.withdrawal (player_id, decided_at)
  where state = 'approved';
