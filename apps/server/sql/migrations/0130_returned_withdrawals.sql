-- An approved withdrawal that cannot be paid comes back to the player's balance: one person proposes it, and another
-- confirms. What is left in a closed account is requested by staff, and approved by another person.

alter table withdrawals.withdrawal
  -- Of the proposal that stands; the reason also of one that was refused.
  add column return_proposed_by integer references staff.member,
  add column return_proposed_at timestamptz,
  add column return_reason text,
  add column returned_by integer references staff.member,
  add column returned_at timestamptz,
  -- Who of staff asked for it: for what is left in a closed account.
  add column requested_by integer references staff.member,
  drop constraint withdrawal_state_check,
  drop constraint withdrawal_check1,
  add constraint withdrawal_state_check check (state in ('waiting', 'approved', 'rejected', 'returned')),
  add constraint approved_by_somebody check ((state in ('approved', 'returned')) = (approved_by is not null)),
  add constraint return_proposal_whole check ((return_proposed_by is null) = (return_proposed_at is null)
    and (return_proposed_by is null or return_reason is not null)),
  -- Nobody pays what is to be returned.
  add constraint return_or_payment check (return_proposed_by is null
    or state in ('approved', 'returned') and payout_reference is null and not at_bank),
  add constraint returned_whole check ((state = 'returned') = (returned_by is not null)
    and (returned_by is null) = (returned_at is null) and (returned_by is null or return_proposed_by is not null)),
  add constraint returned_by_another check (returned_by is null or returned_by <> return_proposed_by),
  add constraint rest_approved_by_another check (requested_by is null
    or requested_by is distinct from approved_by and requested_by is distinct from first_approved_by);
comment on column withdrawals.withdrawal.return_reason is
  'Why it was proposed to be returned, or why that was refused; the player is told the first.';
comment on column withdrawals.withdrawal.requested_by is
  'Who of staff asked for it, of what is left in a closed account; null: the player.';

create index withdrawal_returning on withdrawals.withdrawal (id)
  where state = 'approved' and return_proposed_at is not null;
create index withdrawal_returned_by_time on withdrawals.withdrawal (returned_at) where returned_at is not null;
