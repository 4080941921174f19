-- Payouts that paid another amount, or whose transaction is corrected.

-- Takes back that a withdrawal was paid, as a member says, but for a part of it: the rest is to be paid, by another person.
create or replace function console_money.undo_payout(of_withdrawal bigint, part bigint, member integer, why text)
returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select staff.deny_payment('withdrawal:' || of_withdrawal, member);
  update withdrawals.withdrawal
  set paid_part = paid_part + part, payout_reference = null, payout_batch = null, payout_recorded_by = null,
    paid_at = null, sent_at = null, payout_chain = null, payout_fault = null, payout_corrected_by = null,
    payout_absent_at = null, payout_accepted_by = null
  where id = of_withdrawal;
  update console_money.bank_payment
  set state = 'failed', reference = null, answered_by = member, answered_at = app.now(), reason = why
  where withdrawal_id = of_withdrawal and state = 'paid';
end;

-- Counts what the transaction of a payout paid to its payee, which is another amount, by another person than the one who
-- named it. If it is less than what was to be paid, the rest is to be paid; he does not pay it. If it is more, it is paid
-- once a second person accepts it too; if it is the sum, but left later than it may, by one who cannot have sent it.
-- Answers 'part', 'first', 'accepted', not_found, not_approved, decided (another transaction is named now, or it pays him
-- nothing) or same_person.
create or replace function console_money.accept_payout(of_withdrawal bigint, by_session text, reference text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  paid withdrawals.withdrawal;
  seen bigint;
begin
  select * into paid from withdrawals.withdrawal where id = of_withdrawal for update;
  if paid.id is null then return 'not_found'; end if;
  if paid.payout_reference is null then return 'not_approved'; end if;
  seen := withdrawals.seen_amount(paid);
  if seen = 0 or paid.payout_key is distinct from app.reference_key(reference) then return 'decided'; end if;
  if withdrawals.is_own_payout(paid, by_staff) or by_staff = paid.payout_accepted_by then return 'same_person'; end if;
  if seen >= paid.rest and paid.payout_accepted_by is null
    and not (seen = paid.rest and paid.payout_fault = 'sent_later')
  then
    update withdrawals.withdrawal set payout_accepted_by = by_staff where id = of_withdrawal;
    return 'first';
  end if;
  update withdrawals.payout_transfer set counted = true where withdrawal_id = of_withdrawal;
  if seen >= paid.rest then
    update withdrawals.withdrawal set payout_chain = 'seen', payout_fault = null,
      payout_log = (select min(log) from withdrawals.payout_transfer found
        where withdrawal_id = of_withdrawal and found.payout_key = paid.payout_key)
    where id = of_withdrawal;
    return 'accepted';
  end if;
  perform console_money.undo_payout(of_withdrawal, seen, by_staff, 'It paid a part: the rest is to be paid');
  return 'part';
end
$$;

-- Whether the transaction of a payout may still come: the nodes do not all say that no block has it until so long after
-- it was named; by default as long as a transaction may be valid: VALID_MS in chain-payout.ts says why.
create or replace function console_money.may_come(paid withdrawals.withdrawal, after interval default '56 hours')
returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return paid.payout_chain is not distinct from 'awaited' and (paid.payout_absent_at >= paid.paid_at + after) is not true;

-- Corrects the transaction of a payout to a wallet that the chain does not have, or that pays something else, by another
-- person than the one who named it; and of one that left later than it may, by one who cannot have sent it. Without a
-- reference the withdrawal is to be paid again, which is possible once the transaction cannot come any more: it is
-- wrong, or no node has it in the blocks of 56 hours after it was named, whatever the time is now. It stays in its
-- batch, which one transaction may have paid. Of a payment by a bank the reference is corrected, or it is to be made
-- again if the bank has sent it back. Answers 'corrected', not_found, not_approved, decided (it is seen, it pays him
-- another amount, which a correction would hide, or another payment is named now than the one seen), same_person,
-- too_early (also for another transaction, while the nodes do not say for ten minutes that they have none),
-- not_a_transaction or reference_used. What the transaction paid to this payee is not counted.
create or replace function console_money.correct_payout(of_withdrawal bigint, by_session text, reference text, seen text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  key constant text := app.reference_key(reference);
  paid withdrawals.withdrawal;
  by_bank boolean;
begin
  select * into paid from withdrawals.withdrawal where id = of_withdrawal for update;
  if paid.id is null then return 'not_found'; end if;
  if paid.payout_reference is null then return 'not_approved'; end if;
  by_bank := paid.payout_chain is null;
  if paid.payout_chain = 'seen' or paid.payout_key is distinct from app.reference_key(seen) then return 'decided'; end if;
  if withdrawals.is_own_payout(paid, by_staff) then return 'same_person'; end if;
  if reference is null then
    if console_money.may_come(paid) then return 'too_early'; end if;
    delete from withdrawals.payout_transfer where withdrawal_id = of_withdrawal and not counted;
    perform console_money.undo_payout(of_withdrawal, 0, by_staff,
      case when by_bank then 'The bank sent it back' else 'The chain has no such payment' end);
    return 'corrected';
  end if;
  if withdrawals.seen_amount(paid) > 0 then return 'decided'; end if;
  if not by_bank and not withdrawals.is_transaction(reference) then return 'not_a_transaction'; end if;
  if paid.payout_key = key or not withdrawals.take_reference(key, paid.payout_batch) then return 'reference_used'; end if;
  -- A transaction that is made up does not take the place of one that pays: that is seen by then. Of nodes that
  -- disagree for more than a day nothing more is waited for.
  if console_money.may_come(paid, interval '10 minutes') and paid.paid_at > app.now() - interval '25 hours' then
    return 'too_early';
  end if;
  delete from withdrawals.payout_transfer where withdrawal_id = of_withdrawal and not counted;
  update withdrawals.withdrawal
  set payout_reference = reference, paid_at = case when by_bank then paid_at else app.now() end,
    payout_chain = case when not by_bank then 'awaited' end, payout_fault = null, payout_corrected_by = by_staff,
    payout_absent_at = null, payout_accepted_by = null, had_by = had_by || by_staff
  where id = of_withdrawal;
  update console_money.bank_payment set reference = correct_payout.reference, answered_by = by_staff, answered_at = app.now()
  where withdrawal_id = of_withdrawal and state = 'paid';
  return 'corrected';
end
$$;

grant execute on function console_money.accept_payout, console_money.correct_payout, console_money.may_come to
  sum28_api;
