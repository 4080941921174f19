-- The payout of an approved withdrawal, or its reversal.

-- Whether a text is the id of a transaction on the chain.
create or replace function withdrawals.is_transaction(reference text) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp
return reference ~ '^[0-9a-f]{64}$';

-- Whether no other payment has a reference, neither of a held deposit nor of a withdrawal outside of this batch (null:
-- of any). Locks the reference: of two payments that are recorded at once, the second sees the first.
create or replace function withdrawals.take_reference(key text, of_batch integer) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('payment ' || key));
  return not exists (select from protection.held_deposit where refund_key = key)
    and not exists (select from withdrawals.withdrawal
      where payout_key = key and (of_batch is null or payout_batch is distinct from of_batch))
    and not exists (select from withdrawals.payout_transfer
      where payout_key = key and counted and (of_batch is null or payout_batch is distinct from of_batch));
end
$$;

-- Why a member of staff may not pay a withdrawal, which is locked: not_found, decided (it was reversed), not_approved,
-- paid_already, reversal_proposed, same_person (a person who approved it); or null.
create or replace function withdrawals.judge_payout(asked withdrawals.withdrawal, payer integer) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if asked.id is null then return 'not_found'; end if;
  if asked.state = 'reversed' then return 'decided'; end if;
  if asked.state <> 'approved' then return 'not_approved'; end if;
  if asked.payout_reference is not null then return 'paid_already'; end if;
  if staff.is_proposed('withdrawal:' || asked.id) then return 'reversal_proposed'; end if;
  if payer in (asked.approved_by, asked.first_approved_by) then return 'same_person'; end if;
  return null;
end
$$;

-- Records that an approved withdrawal was paid, and how. Answers 'paid', or as judge_payout, not_a_transaction (a payout
-- to a wallet names its transaction, which is then read on the chain), or reference_used. Payments of one batch may have
-- one reference: a bank pays a batch at once. `sent`: when it was sent, if it is recorded later for a reason.
create or replace function withdrawals.pay_out(of_withdrawal bigint, payer integer, reference text, of_batch integer,
  sent timestamptz default null) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  about constant text := 'withdrawal:' || of_withdrawal;
  locked_withdrawal withdrawals.withdrawal;
  to_wallet boolean;
  verdict text;
begin
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  verdict := withdrawals.judge_payout(locked_withdrawal, payer);
  if verdict is not null then return verdict; end if;
  to_wallet := (select kind = 'wallet' from withdrawals.pay_method where id = locked_withdrawal.pay_method_id);
  if to_wallet and not withdrawals.is_transaction(reference) then return 'not_a_transaction'; end if;
  if not withdrawals.take_reference(app.reference_key(reference), of_batch) then return 'reference_used'; end if;
  update withdrawals.withdrawal
  set payout_reference = reference, payout_batch = of_batch, payout_recorded_by = payer,
    -- Kept also if it is called unpaid later: each of them may have paid it.
    had_by = had_by || payer || array(
      select unnest(taken.had_by || taken.taken_by) from staff.taken_payment taken
      where subject = coalesce('bank_batch:' || of_batch, about)
      union
      select staff_id from staff.payment_denial where subject = about),
    paid_at = app.now(), sent_at = sent, at_bank = false, payout_chain = case when to_wallet then 'awaited' end
  where id = of_withdrawal;
  perform staff.end_payment(about);
  return 'paid';
end
$$;

-- The same for a payment by hand: also same_person for each one who said that it was not paid before, or at_bank: it is in a
-- batch that the bank may still pay.
create or replace function withdrawals.judge_by_hand(asked withdrawals.withdrawal, payer integer) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if asked.at_bank then return 'at_bank'; end if;
  if staff.has_denied('withdrawal:' || asked.id, payer) then return 'same_person'; end if;
  return withdrawals.judge_payout(asked, payer);
end
$$;

-- Takes a withdrawal to pay it by hand, from nobody or from the person with this name. Answers 'taken', or as judge_by_hand
-- and staff.take_payment; or what stands against a payment now, account_frozen or withdrawal_on_hold: but what
-- another person has taken may be sent already, and is taken over.
create or replace function withdrawals.take_payment(of_withdrawal bigint, taken_from text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  about constant text := 'withdrawal:' || of_withdrawal;
  asked withdrawals.withdrawal;
  verdict text;
begin
  select * into asked from withdrawals.withdrawal where id = of_withdrawal for update;
  verdict := withdrawals.judge_by_hand(asked, by_staff);
  if verdict is null and staff.taker_of(about) is null then verdict := withdrawals.judge_player(asked.player_id); end if;
  return coalesce(verdict, staff.take_payment(about, by_staff, taken_from));
end
$$;

-- Gives a withdrawal back that its taker has not paid, as he says: he could have paid it. So it is like one that a bank did
-- not pay: he does not pay it later, and no batch has it, until another person releases it. Answers as
-- staff.give_payment_back.
create or replace function withdrawals.give_payment_back(of_withdrawal bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
begin
  perform from withdrawals.withdrawal where id = of_withdrawal for update;
  return staff.give_payment_back('withdrawal:' || of_withdrawal, by_staff);
end
$$;

-- Records a payout that was made by hand, by the person who has taken it. One that was sent before its player was frozen,
-- or his withdrawals were put on hold, has the time when it was sent. Answers as withdrawals.pay_out and judge_by_hand,
-- payment_not_taken, payment_taken (by another person), account_frozen or withdrawal_on_hold (the time is missing),
-- or not_its_time: it was approved later, or that is not yet.
create or replace function withdrawals.record_payout(of_withdrawal bigint, by_session text, reference text,
  sent timestamptz default null) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  paid withdrawals.withdrawal;
  taker integer;
  verdict text;
begin
  select * into paid from withdrawals.withdrawal where id = of_withdrawal for update;
  taker := staff.taker_of('withdrawal:' || of_withdrawal);
  verdict := withdrawals.judge_by_hand(paid, by_staff);
  if verdict is not null then return verdict; end if;
  if taker is distinct from by_staff then return staff.why_not_taken(taker); end if;
  -- Not locked: what is recorded before a freeze is committed was sent before it.
  if sent is null then
    verdict := (select withdrawals.obstacle(player) from accounts.player where id = paid.player_id);
  end if;
  if sent not between date_trunc('minute', paid.decided_at) and app.now() then return 'not_its_time'; end if;
  return coalesce(verdict, withdrawals.pay_out(of_withdrawal, by_staff, reference, null, sent));
end
$$;

-- Since when there was an obstacle to a payment to a player at a moment, as far as is known: a freeze, a hold, or a demand
-- for a new password. A demand that was fulfilled, and the begin of a hold that was renewed, are not known any more.
-- Null: there was none.
create or replace function withdrawals.stopped_since(of_player integer, moment timestamptz) returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select least(
    (select min(frozen_at) from accounts.freezing
      where player_id = of_player and frozen_at < moment and coalesce(lifted_at, 'infinity') > moment),
    case when sensitive_changed_at < moment and moment < sensitive_changed_at + hold then sensitive_changed_at end,
    case when password_required_at < moment and withdrawals.needs_password(player) then password_required_at end)
  from accounts.player, withdrawals.terms where player.id = of_player);

-- By when a payout must have been sent: by the time that was said, and before what stood against it then, or when it was
-- recorded if nothing was said. Null: at any time.
create or replace function withdrawals.sent_by(paid withdrawals.withdrawal) returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp
return least(paid.sent_at, withdrawals.stopped_since(paid.player_id, coalesce(paid.sent_at, paid.paid_at)));

-- Whether a member of staff does not judge the transaction of a payout: he named it, or he may have sent it himself, and
-- it left later than it may.
create or replace function withdrawals.is_own_payout(paid withdrawals.withdrawal, member integer) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp
return member is not distinct from coalesce(paid.payout_corrected_by, paid.payout_recorded_by)
  or paid.payout_fault is not distinct from 'sent_later' and member = any (paid.had_by);

-- What the transaction of a payout that pays another amount, or left later than it may, pays this payee.
create or replace function withdrawals.seen_amount(withdrawal withdrawals.withdrawal) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return case when withdrawal.payout_fault in ('other_amount', 'sent_later') then (
  select coalesce(sum(found.amount), 0) from withdrawals.payout_transfer found
  where found.withdrawal_id = withdrawal.id and found.payout_key = withdrawal.payout_key) else 0 end::bigint;

-- What of an approved withdrawal has not reached its payee, as far as is known: the chain may show a part of it that
-- nobody has judged yet.
create or replace function withdrawals.still_owed(withdrawal withdrawals.withdrawal) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return greatest(0, withdrawal.rest - withdrawals.seen_amount(withdrawal));

-- Records what the chain has of a payout's transaction: the logs that pay this payee what is to be paid; or, if there
-- are none, why not, and the logs that pay him all the same. No other withdrawal has this payee and this transaction: a
-- batch has each address once. Answers 'seen', 'wrong' or 'stale' (another transaction is recorded now).
create or replace function withdrawals.take_chain_answer(of_withdrawal bigint, reference text, logs integer[],
  fault text, other_logs integer[] default '{}', other_amounts bigint[] default '{}') returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  first_log constant integer := (select min(log) from unnest(logs) log);
  answer constant text := case when first_log is null then 'wrong' else 'seen' end;
  locked_withdrawal withdrawals.withdrawal;
begin
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  if locked_withdrawal.payout_chain is distinct from 'awaited'
    or locked_withdrawal.payout_reference is distinct from reference
  then
    return 'stale';
  end if;
  if answer = 'wrong' then
    insert into withdrawals.payout_transfer (withdrawal_id, payout_key, log, payout_batch, amount)
    select of_withdrawal, locked_withdrawal.payout_key, log, locked_withdrawal.payout_batch, amount
    from unnest(other_logs, other_amounts) other (log, amount);
  end if;
  update withdrawals.withdrawal
  set payout_chain = answer, payout_log = first_log, payout_fault = case when answer = 'wrong' then fault end
  where id = of_withdrawal;
  return answer;
end
$$;

-- Records that all nodes said that no solid block until a time has a payout's transaction: the time of their newest one.
create or replace function withdrawals.note_absent_payout(of_withdrawal bigint, reference text, read_until timestamptz)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update withdrawals.withdrawal set payout_absent_at = read_until
  where id = of_withdrawal and payout_chain = 'awaited' and payout_reference = reference;
end;

-- Whether a member of staff may have paid an approved withdrawal himself, or said that it was not paid: he does not
-- confirm that it was not.
create or replace function withdrawals.had_payment(of_withdrawal bigint, member integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return staff.has_denied('withdrawal:' || of_withdrawal, member)
  or exists (select from withdrawals.withdrawal where id = of_withdrawal and member = any (had_by));

-- Why an approved withdrawal that cannot be paid may not be reversed now, or proposed to be: not_found, not_approved,
-- decided, paid_already, at_bank (the bank may still pay it), payment_taken (somebody may have paid it), same_person (who
-- had its payment, or said that it was not made, does not confirm that it was not); or null. The content is {player_id,
-- amount}. Locks the withdrawal; from the proposal on it is not paid.
create or replace function withdrawals.judge_reversal(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  subject withdrawals.withdrawal;
begin
  select * into subject from withdrawals.withdrawal
  where id = app.number_in(substr(proposed.subject, 12)) and 'withdrawal:' || id = proposed.subject for update;
  if (subject.player_id, subject.rest)
    is distinct from (proposed.player_id, (proposed.content ->> 'amount')::bigint) and subject.id is not null
  then
    raise exception 'a reversal has the player and the amount of its withdrawal that is not paid' using errcode = 'check_violation';
  end if;
  return case
    when subject.id is null then 'not_found'
    when subject.state = 'waiting' then 'not_approved'
    when subject.state <> 'approved' then 'decided'
    when subject.payout_reference is not null then 'paid_already'
    when subject.at_bank then 'at_bank'
    when staff.taker_of(proposed.subject) is not null then 'payment_taken'
    when withdrawals.had_payment(subject.id, proposed.confirmed_by) then 'same_person' end;
end
$$;

-- Reverses an approved withdrawal: what was not paid of it comes back to the player's free balance.
create or replace function withdrawals.reverse(confirmed staff.proposal) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reversed withdrawals.withdrawal;
begin
  update withdrawals.withdrawal
  set state = 'reversed', reversed_by = confirmed.confirmed_by, reversed_at = app.now()
  where id = app.number_in(substr(confirmed.subject, 12)) returning * into strict reversed;
  perform wallet.move('withdrawal_reversed', array[row(
    reversed.player_id, reversed.booked_on, reversed.rest, confirmed.subject)::wallet.movement]);
end
$$;

grant execute on function withdrawals.note_absent_payout, withdrawals.sent_by, withdrawals.stopped_since,
  withdrawals.take_chain_answer to sum28_jobs;
grant execute on function withdrawals.give_payment_back, withdrawals.record_payout, withdrawals.seen_amount,
  withdrawals.still_owed, withdrawals.take_payment to sum28_api;
