-- Held deposits that two people of staff pay back.

alter table protection.held_deposit
  -- Why it is to be paid back, or why the last proposal was refused.
  add column return_reason text,
  -- Of the payment, in the form in which references are compared.
  add column return_key text,
  add constraint proposal_is_whole check ((return_proposed_by is null) = (return_proposed_at is null)),
  add constraint returned_is_whole check ((state = 'returned') = (return_reference is not null)
    and (state = 'returned') = (return_key is not null)
    and (state <> 'returned' or return_proposed_by is not null and decided_by is not null));
create unique index return_reference_once on protection.held_deposit (return_key);
create index held_deposit_by_state on protection.held_deposit (state, id);
