-- Held deposits that are paid back. A deposit is locked before its player's balance.

-- Why a held deposit may not be proposed to be paid back: not_found, decided, same_person (who named the transaction that
-- is wrong does not say himself that it is not paid), or as obstacle_of_refund; or be recorded as paid back: not_found,
-- decided, payment_not_taken, payment_taken (by another person than the one who records it), reference_missing,
-- not_a_transaction (one from the chain is paid back on it), reference_used (another payment, the payout of a withdrawal,
-- or the deposit itself has it); or null. Its content is {player_id, amount}, of one from the chain also payee if another
-- address of the player gets it, and the confirming person adds the reference of the payment. Locks the deposit and the
-- reference; from the proposal on the deposit is not released.
create or replace function console_money.judge_refund(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  key constant text := app.reference_key(proposed.confirmed_with);
  deposit protection.held_deposit;
  taker integer;
begin
  select * into deposit from protection.held_deposit
  where id = app.number_in(substr(proposed.subject, 14)) and 'held_deposit:' || id = proposed.subject for update;
  if deposit.id is null then return 'not_found'; end if;
  if deposit.state <> 'held' and deposit.refund_chain is distinct from 'wrong' and deposit.refund_returned_by is null then
    return 'decided';
  end if;
  if (deposit.player_id, deposit.amount)
    is distinct from (proposed.player_id, (proposed.content ->> 'amount')::bigint)
  then
    raise exception 'a refund has the player and the amount of its deposit' using errcode = 'check_violation';
  end if;
  if proposed.content ? 'payee' and deposit.from_address is null then
    raise exception 'a refund by a bank names no address' using errcode = 'check_violation';
  end if;
  if proposed.id is null then
    -- It is being taken back.
    if staff.is_proposed(proposed.subject) then return 'already_proposed'; end if;
    if deposit.refund_chain = 'wrong'
      and coalesce(deposit.refund_corrected_by, deposit.decided_by) = proposed.proposed_by
    then
      return 'same_person';
    end if;
    return console_money.obstacle_of_refund(proposed);
  end if;
  taker := staff.taker_of(proposed.subject);
  if taker is distinct from proposed.confirmed_by then return staff.why_not_taken(taker); end if;
  if key is null then return 'reference_missing'; end if;
  if deposit.from_address is not null then
    if not withdrawals.is_transaction(proposed.confirmed_with) then return 'not_a_transaction'; end if;
    if deposit.reference like 'usdt:' || proposed.confirmed_with || ':%' then return 'reference_used'; end if;
  end if;
  if not withdrawals.take_reference(key, null) then return 'reference_used'; end if;
  return null;
end
$$;

-- Records that a held deposit was paid back: the held amount leaves the books. If it has left them already, by a
-- transaction that the chain does not show as this payment, or by one that the bank sent back, another takes its place.
create or replace function console_money.refund(confirmed staff.proposal) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  deposit protection.held_deposit;
  is_correction constant boolean := (select state = 'refunded' from protection.held_deposit
    where id = app.number_in(substr(confirmed.subject, 14)));
begin
  update protection.held_deposit
  set state = 'refunded', decided_by = confirmed.confirmed_by, decided_at = app.now(),
    refund_reference = confirmed.confirmed_with,
    refund_chain = case when from_address is not null then 'awaited' end, refund_to = confirmed.content ->> 'payee',
    refund_returned_by = null, refund_corrected_by = null
  where 'held_deposit:' || id = confirmed.subject and id = app.number_in(substr(confirmed.subject, 14))
  returning * into strict deposit;
  perform staff.end_payment(confirmed.subject);
  if is_correction then return; end if;
  perform wallet.move('deposit_refunded', array[
    row(deposit.player_id, protection.day_of(app.now()), deposit.amount, deposit.reference)::wallet.movement]);
end
$$;

-- Why a refund to another address than the deposit came from may not be paid now, since a thief may have named it:
-- not_his_wallet (it is not the one in its player's account, or that it had when he closed it: one that staff saved since
-- is any; for a closed account an owner may propose another), account_frozen or withdrawal_on_hold; or null. After a
-- restore all are on hold: one may be paid already. Each may be proposed then, which keeps its deposit from being released.
create or replace function console_money.obstacle_of_refund(proposed staff.proposal) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  payee constant text := proposed.content ->> 'payee';
  player accounts.player;
begin
  select * into player from accounts.player where id = proposed.player_id;
  if payee is not null and not exists (select from withdrawals.pay_method
      where player_id = player.id and kind = 'wallet' and shown_number = payee
        and created_at <= coalesce(player.closed_at, created_at)
        and (replaced_at is null or replaced_at > player.closed_at))
    and not (player.state = 'closed'
      and exists (select from staff.member where id = proposed.proposed_by and role = 'owner'))
  then
    return 'not_his_wallet';
  end if;
  if protection.keeps_deposits() then
    return case when proposed.id is not null then 'withdrawal_on_hold' end;
  end if;
  if payee is null then return null; end if;
  return withdrawals.obstacle(player);
end
$$;

-- Takes the payment of a refund that another person has proposed, from nobody or from the person with this name: what
-- that one has taken may be sent already. Answers 'taken', not_found, decided (nothing is proposed), same_person (also
-- for each one who gave it back), or as obstacle_of_refund and staff.take_payment.
create or replace function console_money.take_refund(of_deposit bigint, taken_from text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  about constant text := 'held_deposit:' || of_deposit;
  deposit protection.held_deposit;
  refund staff.proposal;
  obstacle text;
begin
  select * into deposit from protection.held_deposit where id = of_deposit for update;
  if deposit.id is null then return 'not_found'; end if;
  -- Locked: a freeze, a hold or an end that is under way is waited for.
  perform from accounts.player where id = deposit.player_id for share;
  select * into refund from staff.proposal
  where subject = about and kind = 'refund' and state = 'proposed' for share;
  if refund.id is null then return 'decided'; end if;
  if by_staff = refund.proposed_by or staff.has_denied(about, by_staff) then return 'same_person'; end if;
  if staff.taker_of(about) is null then obstacle := console_money.obstacle_of_refund(refund); end if;
  return coalesce(obstacle, staff.take_payment(about, by_staff, taken_from));
end
$$;

-- Gives a refund back that its taker has not paid, as he says: he could have, so another person pays it, or
-- releases it. Answers as staff.give_payment_back.
create or replace function console_money.give_refund_back(of_deposit bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
begin
  perform from protection.held_deposit where id = of_deposit for update;
  return staff.give_payment_back('held_deposit:' || of_deposit, by_staff);
end
$$;

-- Lets everybody pay a refund again that was given back, by a person who did not give it back. Answers not_found, or as
-- staff.release_payment.
create or replace function console_money.release_refund(of_deposit bigint, seen timestamptz, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
begin
  perform from protection.held_deposit where id = of_deposit for update;
  if not found then return 'not_found'; end if;
  return staff.release_payment('held_deposit:' || of_deposit, by_staff, seen);
end
$$;

-- Records that the bank sent the payment back by which a held deposit was paid back, by another person than who named
-- it last: it is to be paid back again. Answers 'returned', not_found, decided (also if another payment is named now
-- than the one seen) or same_person.
create or replace function console_money.return_refund(of_deposit bigint, by_session text, seen text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  deposit protection.held_deposit;
begin
  select * into deposit from protection.held_deposit where id = of_deposit for update;
  if deposit.id is null then return 'not_found'; end if;
  if deposit.state <> 'refunded' or deposit.from_address is not null or deposit.refund_returned_by is not null
    or deposit.refund_key is distinct from app.reference_key(seen)
  then
    return 'decided';
  end if;
  if coalesce(deposit.refund_corrected_by, deposit.decided_by) = by_staff then return 'same_person'; end if;
  update protection.held_deposit set refund_returned_by = by_staff where id = of_deposit;
  return 'returned';
end
$$;

-- Names another transaction for a refund that the chain does not show, or that pays something else, or another
-- reference for one by a bank, by another person than the one who named it: who pays it again instead pays it twice, if
-- it was a slip. Answers 'corrected', not_found, decided (it is seen, not paid back, or another payment is named now than
-- the one seen), already_proposed (it is being paid again), same_person, too_early (the chain has ten minutes),
-- not_a_transaction or reference_used (also that of the deposit itself).
create or replace function console_money.correct_refund(of_deposit bigint, by_session text, payment text, seen text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  key constant text := app.reference_key(payment);
  deposit protection.held_deposit;
  by_bank boolean;
begin
  select * into deposit from protection.held_deposit where id = of_deposit for update;
  if deposit.id is null then return 'not_found'; end if;
  by_bank := deposit.from_address is null;
  if deposit.state <> 'refunded' or deposit.refund_chain = 'seen' or deposit.refund_returned_by is not null
    or deposit.refund_key is distinct from app.reference_key(seen)
  then
    return 'decided';
  end if;
  if staff.is_proposed('held_deposit:' || of_deposit) then return 'already_proposed'; end if;
  if coalesce(deposit.refund_corrected_by, deposit.decided_by) = by_staff then return 'same_person'; end if;
  if not by_bank and not withdrawals.is_transaction(payment) then return 'not_a_transaction'; end if;
  if not by_bank and deposit.reference like 'usdt:' || payment || ':%' or not withdrawals.take_reference(key, null) then
    return 'reference_used';
  end if;
  if deposit.refund_chain = 'awaited' and deposit.decided_at > app.now() - interval '10 minutes' then
    return 'too_early';
  end if;
  update protection.held_deposit
  set refund_reference = payment, refund_corrected_by = by_staff,
    refund_chain = case when not by_bank then 'awaited' end,
    decided_at = case when by_bank then decided_at else app.now() end
  where id = of_deposit;
  return 'corrected';
end
$$;

-- Records what the chain has of the transaction by which a held deposit was paid back: fault says why it does not pay
-- this amount to its payee, or sent_later of one that pays it and left after a freeze or a hold. Each is a difference of
-- chain and ledger; null: there is none. Answers 'seen', 'wrong' or 'stale' (another transaction is recorded now).
create or replace function console_money.take_refund_answer(of_deposit bigint, payment text, fault text) returns text
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  with read as (
    update protection.held_deposit set refund_chain = case when fault <> 'sent_later' then 'wrong' else 'seen' end
    where id = of_deposit and refund_chain = 'awaited' and refund_reference = payment returning *
  ), differing as (
    insert into deposits.chain_difference (kind, tx_id, log_index, details)
    select case fault when 'other_amount' then 'amount_differs' when 'sent_later' then fault
      else 'missing_on_chain' end, refund_reference, 0,
      jsonb_build_object('player_id', player_id, 'booked_amount', amount::text, 'held_deposit', id)
    from read where fault is not null
    on conflict on constraint reported_once do nothing
  )
  select coalesce((select refund_chain from read), 'stale');
end;

grant execute on function console_money.correct_refund, console_money.give_refund_back, console_money.release_refund,
  console_money.return_refund, console_money.take_refund to sum28_api;
grant execute on function console_money.take_refund_answer to sum28_jobs;
