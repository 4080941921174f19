-- The console's area money: held deposits that are paid back, adjustments of balances, batches for the bank, and
-- the trial balance. A deposit is locked before its player's balance; a batch before its withdrawals.

-- Why a held deposit may not be proposed to be paid back: not_found, decided, or as obstacle_of_refund; or be recorded as
-- paid back: not_found, decided, payment_not_taken, payment_taken (by another person than the one who records it),
-- reference_missing, not_a_transaction (one from the chain is paid back on it), reference_used (another payment, the payout
-- of a withdrawal, or the deposit itself has it); or null. Its content is {player_id, amount}, of one from the chain also
-- payee if another address of the player gets it, and the confirming person adds the reference of the payment. Locks the
-- deposit and the reference; from the proposal on the deposit is not released.
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
-- is any; for a closed account an owner may propose another), account_frozen or withdrawal_on_hold; or null.
create or replace function console_money.obstacle_of_refund(proposed staff.proposal) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  payee constant text := proposed.content ->> 'payee';
  player accounts.player;
begin
  if payee is null then return null; end if;
  select * into player from accounts.player where id = proposed.player_id;
  if not exists (select from withdrawals.pay_method
      where player_id = player.id and kind = 'wallet' and shown_number = payee
        and created_at <= coalesce(player.closed_at, created_at)
        and (replaced_at is null or replaced_at > player.closed_at))
    and not (player.state = 'closed'
      and exists (select from staff.member where id = proposed.proposed_by and role = 'owner'))
  then
    return 'not_his_wallet';
  end if;
  return withdrawals.obstacle(player);
end
$$;

-- Takes the payment of a refund that another person has proposed, from nobody or from the person with this name: what that
-- one has taken may be sent already. Answers 'taken', not_found, decided (nothing is proposed), same_person (also for each
-- one who gave it back), or as
-- obstacle_of_refund and staff.take_payment.
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

-- Lets everybody pay a refund again that was given back, by a person who did not give it back. Answers 'released', not_found,
-- decided (nobody is kept from paying it) or same_person.
create or replace function console_money.release_refund(of_deposit bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
begin
  perform from protection.held_deposit where id = of_deposit for update;
  if not found then return 'not_found'; end if;
  return staff.release_payment('held_deposit:' || of_deposit, by_staff);
end
$$;

-- Records that the bank sent the payment back by which a held deposit was paid back, by another person than who recorded
-- it: it is to be paid back again. Answers 'returned', not_found, decided or same_person.
create or replace function console_money.return_refund(of_deposit bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  deposit protection.held_deposit;
begin
  select * into deposit from protection.held_deposit where id = of_deposit for update;
  if deposit.id is null then return 'not_found'; end if;
  if deposit.state <> 'refunded' or deposit.from_address is not null or deposit.refund_returned_by is not null then
    return 'decided';
  end if;
  if deposit.decided_by = by_staff then return 'same_person'; end if;
  update protection.held_deposit set refund_returned_by = by_staff where id = of_deposit;
  return 'returned';
end
$$;

-- Names another transaction for a refund that the chain does not show, or that pays something else, by another person than
-- the one who named it: who pays it again instead pays it twice, if it was a slip. Answers 'corrected', not_found, decided
-- (it is seen, or no transaction paid it), already_proposed (it is being paid again), same_person, not_a_transaction or
-- reference_used (also that of the deposit itself).
create or replace function console_money.correct_refund(of_deposit bigint, by_session text, payment text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  key constant text := app.reference_key(payment);
  deposit protection.held_deposit;
begin
  select * into deposit from protection.held_deposit where id = of_deposit for update;
  if deposit.id is null then return 'not_found'; end if;
  if (deposit.refund_chain in ('awaited', 'wrong')) is not true then return 'decided'; end if;
  if staff.is_proposed('held_deposit:' || of_deposit) then return 'already_proposed'; end if;
  if coalesce(deposit.refund_corrected_by, deposit.decided_by) = by_staff then return 'same_person'; end if;
  if not withdrawals.is_transaction(payment) then return 'not_a_transaction'; end if;
  if deposit.reference like 'usdt:' || payment || ':%' or not withdrawals.take_reference(key, null) then
    return 'reference_used';
  end if;
  update protection.held_deposit
  set refund_reference = payment, refund_chain = 'awaited', refund_corrected_by = by_staff, decided_at = app.now()
  where id = of_deposit;
  return 'corrected';
end
$$;

-- Records what the chain has of the transaction by which a held deposit was paid back: fault says why it does not pay
-- this amount to its payee, which is a difference of chain and ledger; null if it does. False if another is recorded now.
create or replace function console_money.take_refund_answer(of_deposit bigint, payment text, fault text) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  with read as (
    update protection.held_deposit set refund_chain = case when fault is null then 'seen' else 'wrong' end
    where id = of_deposit and refund_chain = 'awaited' and refund_reference = payment returning *
  ), differing as (
    insert into deposits.chain_difference (kind, tx_id, log_index, details)
    select case fault when 'other_amount' then 'amount_differs' else 'missing_on_chain' end, refund_reference, 0,
      jsonb_build_object('player_id', player_id, 'booked_amount', amount::text, 'held_deposit', id)
    from read where fault is not null
    on conflict on constraint reported_once do nothing
  )
  select exists (select from read);
end;

-- What is left to take back of a deposit of a player that persons booked, in micro-units, without the correction that
-- is being confirmed; null if he has no such deposit, or it was paid back.
create or replace function console_money.left_of_deposit(of_player integer, of_deposit bigint, except_id bigint)
returns bigint
language sql stable set search_path = pg_catalog, pg_temp
return (select booked.amount - coalesce((select sum(amount) from deposits.taking_back
      where deposit = of_deposit and state in ('proposed', 'confirmed') and id is distinct from except_id), 0)::bigint
  from deposits.by_persons booked
  where booked.id = of_deposit and booked.player_id = of_player
    and not exists (select from protection.held_deposit held
      where held.reference = booked.reference and held.state = 'refunded'));

-- Why a deposit that persons booked by mistake may not be taken back: deposit_missing, decided (it is not where the
-- proposal says), already_proposed (staff pay it back), payment_taken (one of them had it to pay back), above_deposit,
-- part_of_deposit (an assigned transfer and a held deposit are taken back whole), account_closed,
-- insufficient_balance; or null. A held one is its subject: while that is proposed it is not released. Locks transfer, deposit and balance.
create or replace function console_money.judge_taking_back(proposed staff.proposal) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  amount constant bigint := proposed.content ->> 'amount';
  booked deposits.by_persons;
  held protection.held_deposit;
  deposit_left bigint;
begin
  select * into booked from deposits.by_persons
  where id = (proposed.content ->> 'deposit')::bigint and player_id = proposed.player_id;
  if booked.id is null then return 'deposit_missing'; end if;
  perform from deposits.transfer where tx_id = split_part(booked.subject, ':', 2) and assignment = booked.id for update;
  select * into held from protection.held_deposit where reference = booked.reference for update;
  if proposed.subject <> (case when held.state = 'held' then 'held_deposit:' || held.id
    else 'player:' || booked.player_id end)
  then
    return 'decided';
  end if;
  if held.state = 'held' and proposed.id is null then
    if staff.is_proposed(proposed.subject) then return 'already_proposed'; end if;
    if staff.is_denied(proposed.subject) then return 'payment_taken'; end if;
  end if;
  perform from ledger.balance where holder_id = booked.player_id for no key update;
  deposit_left := console_money.left_of_deposit(booked.player_id, booked.id, proposed.id);
  if deposit_left is null then return 'deposit_missing'; end if;
  if amount > deposit_left then return 'above_deposit'; end if;
  if amount < booked.amount and (booked.kind = 'assignment' or held.state = 'held') then
    return 'part_of_deposit';
  end if;
  if held.state = 'held' then return null; end if;
  if exists (select from accounts.player where id = booked.player_id and state = 'closed') then
    return 'account_closed';
  end if;
  if amount > (select cash from ledger.balance where holder_id = booked.player_id) then
    return 'insufficient_balance';
  end if;
  return null;
end
$$;

-- Takes a deposit back that persons booked by mistake, from what is held or from the balance: it counts no more. A
-- transfer is unmatched again.
create or replace function console_money.take_back(confirmed staff.proposal) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  movement constant wallet.movement := row(confirmed.player_id, protection.day_of(app.now()),
    (confirmed.content ->> 'amount')::bigint, 'adjustment:' || confirmed.id);
  booked constant deposits.by_persons := (select each from deposits.by_persons each
    where id = (confirmed.content ->> 'deposit')::bigint);
begin
  if confirmed.subject like 'held_deposit:%' then
    update protection.held_deposit
    set state = 'taken_back', decided_by = confirmed.confirmed_by, decided_at = app.now()
    where id = app.number_in(substr(confirmed.subject, 14));
    perform wallet.move('held_taken_back', array[movement]);
  else
    perform wallet.move('deposit_taken_back', array[movement]);
    perform protection.uncount_deposit(movement.player_id, movement.amount, (select posted_at from ledger.posting
      where holder_id = booked.player_id and reference = booked.reference
        and kind in ('deposit', 'deposit_released')));
  end if;
  update deposits.transfer set player_id = null, credited_at = null, assignment = null
  where tx_id = split_part(booked.subject, ':', 2) and assignment = booked.id;
end
$$;

-- Why a person of this role may not propose or confirm a bonus or a correction, whose content is {amount} in micro-units:
-- not_found, account_closed, excluded (no bonus during a break or a review), insufficient_balance, above_role_limit; or
-- null. A debit with {deposit}, the number of the proposal that booked a deposit by mistake, takes that back: it has no
-- limit of a role, and answers as judge_taking_back. Locks the balance: of two at once the second sees the first.
create or replace function console_money.judge_adjustment(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  amount constant bigint := proposed.content ->> 'amount';
  state_now text;
begin
  if (amount > 0) is not true then
    raise exception 'an adjustment has an amount above zero' using errcode = 'check_violation';
  end if;
  -- It would count in no sum of a role.
  if proposed.kind <> 'debit' and proposed.content ? 'deposit' then
    raise exception 'a % takes no deposit back', proposed.kind using errcode = 'check_violation';
  end if;
  if proposed.content ? 'deposit' then return console_money.judge_taking_back(proposed); end if;
  perform from ledger.balance where holder_id = proposed.player_id for no key update;
  select state into state_now from accounts.player where id = proposed.player_id and accounts.is_person(player);
  if state_now is null then return 'not_found'; end if;
  if state_now = 'closed' then return 'account_closed'; end if;
  if proposed.kind = 'bonus' and protection.hears_no_advertising(proposed.player_id) then return 'excluded'; end if;
  if proposed.kind = 'debit' and amount > (select cash from ledger.balance where holder_id = proposed.player_id) then
    return 'insufficient_balance';
  end if;
  if amount > console_money.adjustment_left(proposed.player_id, proposed.id, of_role, proposed.kind) then
    return 'above_role_limit';
  end if;
  return null;
end
$$;

-- The rest of a role's limit for a player, in micro-units: all open proposals for him, and those confirmed within 24
-- hours, count, so that a large sum cannot be given in parts. For what gives, bank deposits count too, which a third
-- person confirms above the limit, if two persons confirmed them. What takes a bank deposit back never counts. `except_id`: the one that is being confirmed.
create or replace function console_money.adjustment_left(of_player integer, except_id bigint, of_role text, of_kind text)
returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return greatest(0, coalesce((select amount_max from wallet.adjustment_limit where role = of_role), 0) - coalesce((
  select sum((content ->> 'amount')::bigint) from staff.proposal
  where player_id = of_player and id is distinct from except_id
    and (kind in ('bonus', 'credit', 'debit') and not content ? 'deposit'
      or kind = 'bank_deposit' and of_kind <> 'debit' and state = 'confirmed' and first_confirmed_by is null)
    and (state = 'proposed' or state = 'confirmed' and confirmed_at > app.now() - interval '24 hours')), 0))::bigint;

-- Moves the money of an adjustment.
create or replace function console_money.adjust(confirmed staff.proposal) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if confirmed.content ? 'deposit' then
    perform console_money.take_back(confirmed);
    return;
  end if;
  perform wallet.move(case confirmed.kind when 'bonus' then 'bonus' else 'adjustment_' || confirmed.kind end,
    array[
    row(confirmed.player_id, protection.day_of(app.now()), (confirmed.content ->> 'amount')::bigint,
      'adjustment:' || confirmed.id)::wallet.movement]);
end
$$;

-- Why an approved withdrawal goes into no batch now: frozen, held (by a change of its player's account), reversing, taken (to
-- be paid by hand), unreleased (it was said to be unpaid, and nobody released it); or null.
create or replace function console_money.left_out(payable withdrawals.withdrawal) returns text
language sql stable set search_path = pg_catalog, pg_temp
return (select case
    when obstacle = 'account_frozen' then 'frozen'
    when obstacle = 'withdrawal_on_hold' then 'held'
    when staff.is_proposed('withdrawal:' || (payable).id) then 'reversing'
    when staff.taker_of('withdrawal:' || (payable).id) is not null then 'taken'
    when staff.is_denied('withdrawal:' || (payable).id) then 'unreleased' end
  from (select withdrawals.obstacle(player) from accounts.player where id = (payable).player_id) found (obstacle));

-- Makes a batch of the withdrawals to cards, or to wallets, that are approved, not paid, and in no batch that the bank may
-- still pay, the oldest first. Of two simultaneous calls the second finds nothing left. Returns its id, null if there
-- are none, and how many are left out for each reason of left_out.
create or replace function console_money.make_batch(payments_max integer, by_session text, of_kind text default 'bank')
returns table (batch_id integer, payments integer, left_frozen integer, left_held integer, left_reversing integer,
  left_taken integer, left_unreleased integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  due bigint[];
begin
  perform pg_advisory_xact_lock(hashtext('console_money.make_batch'));
  -- Locked: a payout that is being recorded by hand is waited for, and then leaves it out; and so are their players.
  due := array(
    select payable.id from withdrawals.withdrawal payable
    join withdrawals.pay_method on pay_method.id = payable.pay_method_id and pay_method.kind = of_kind
    where payable.state = 'approved' and payable.paid_at is null and not payable.at_bank
      and console_money.left_out(payable) is null
    order by payable.id limit payments_max for no key update of payable);
  perform console_money.lock_players(due);
  -- Again, for what came meanwhile and changed no row of its withdrawal: a proposal, a taker, a freeze, a hold.
  due := array(select payable.id from withdrawals.withdrawal payable
    where payable.id = any (due) and console_money.left_out(payable) is null order by 1);
  payments := cardinality(due);
  if payments > 0 then
    insert into console_money.bank_batch (kind, made_by, made_at) values (of_kind, by_staff, app.now()) returning id into batch_id;
    insert into console_money.bank_payment (batch_id, withdrawal_id, amount)
    select batch_id, id, rest from withdrawals.withdrawal where id = any (due);
    update withdrawals.withdrawal set at_bank = true where id = any (due);
  end if;
  select count(*) filter (where why = 'frozen'), count(*) filter (where why = 'held'),
    count(*) filter (where why = 'reversing'), count(*) filter (where why = 'taken'),
    count(*) filter (where why = 'unreleased') into left_frozen, left_held, left_reversing, left_taken, left_unreleased
  from (
    select console_money.left_out(payable) as why from withdrawals.withdrawal payable
    join withdrawals.pay_method on pay_method.id = payable.pay_method_id and pay_method.kind = of_kind
    where payable.state = 'approved' and payable.paid_at is null and not payable.at_bank) left_out;
  return next;
end
$$;

-- Locks the players of withdrawals, which are locked before: a freeze or a hold that is under way is waited for.
create or replace function console_money.lock_players(due bigint[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from accounts.player
  where id in (select player_id from withdrawals.withdrawal where withdrawal.id = any (due)) order by id for share;
end
$$;

-- Takes a batch to have it paid, from nobody or from the person with this name: whoever has it gets its file. What may not be
-- paid now, because its player was frozen or his withdrawals are on hold, drops out of a batch that nobody took before: a
-- later batch has it. Answers 'taken' with what dropped out, not_found, decided, payment_taken,
-- payment_not_taken, or nothing_to_pay: all would drop out.
create or replace function console_money.take_batch(of_batch integer, taken_from text, by_session text)
returns table (answer text, dropped bigint[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  about constant text := 'bank_batch:' || of_batch;
  was_taken boolean;
  due bigint[];
begin
  answer := (select state from console_money.bank_batch where id = of_batch for update);
  was_taken := staff.taker_of(about) is not null;
  dropped := '{}';
  if answer is null then answer := 'not_found';
  elsif answer <> 'open' then answer := 'decided';
  else answer := staff.take_payment(about, by_staff, taken_from);
  end if;
  if answer = 'taken' and not was_taken then
    due := array(select withdrawal_id from console_money.bank_payment where batch_id = of_batch and state = 'sent');
    perform from withdrawals.withdrawal where id = any (due) order by id for no key update;
    perform console_money.lock_players(due);
    dropped := array(select payable.id from withdrawals.withdrawal payable
      join accounts.player on player.id = payable.player_id
      where payable.id = any (due) and withdrawals.obstacle(player) is not null order by payable.id);
    if dropped @> due then answer := 'nothing_to_pay'; end if;
    delete from console_money.bank_payment where batch_id = of_batch and withdrawal_id = any (dropped);
    update withdrawals.withdrawal set at_bank = false where id = any (dropped);
  end if;
  return next;
end
$$;

-- Releases a withdrawal that was said to be unpaid for the next batch, and to all who may pay by hand, by another person
-- than all who said so (recorded the bank's answer, cancelled the batch, gave it back) or had it before. Answers 'released', not_found, decided or
-- same_person.
create or replace function console_money.release_payment(of_withdrawal bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  about constant text := 'withdrawal:' || of_withdrawal;
  unpaid withdrawals.withdrawal;
  failed_in integer;
  verdict text;
begin
  select * into unpaid from withdrawals.withdrawal where id = of_withdrawal for update;
  failed_in := (select max(batch_id) from console_money.bank_payment
    where withdrawal_id = of_withdrawal and state = 'failed');
  verdict := case when unpaid.state = 'reversed' then 'decided' else staff.release_payment(about, by_staff) end;
  if verdict = 'decided' and failed_in is null then return 'not_found'; end if;
  if verdict <> 'released' then return verdict; end if;
  update console_money.bank_payment set released_by = by_staff, released_at = app.now()
  where batch_id = failed_in and withdrawal_id = of_withdrawal and released_by is null and answered_by <> by_staff;
  return 'released';
end
$$;

-- Releases all withdrawals of a cancelled batch that nobody released yet, by another person than the one who cancelled
-- it, or had its file. Answers 'released' with these, not_found (there is no such cancelled batch), decided (none is left)
-- or same_person.
create or replace function console_money.release_batch(of_batch integer, by_session text)
returns table (answer text, released bigint[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  canceller integer;
  unpaid bigint;
  verdict text;
begin
  released := '{}';
  select ended_by into canceller from console_money.bank_batch
  where id = of_batch and state = 'cancelled' for no key update;
  answer := case when canceller is null then 'not_found' when canceller = by_staff then 'same_person' else 'decided' end;
  for unpaid in
    select withdrawal_id from console_money.bank_payment
    where batch_id = of_batch and released_by is null and canceller <> by_staff order by 1
  loop
    verdict := console_money.release_payment(unpaid, by_session);
    if verdict = 'released' then released := released || unpaid; end if;
    if verdict = 'released' or verdict = 'same_person' and answer = 'decided' then answer := verdict; end if;
  end loop;
  return next;
end
$$;

-- Records the bank's answer for one withdrawal. Answers 'paid', 'failed', 'same' (it was recorded before),
-- 'same_person' (a person who approved it cannot record its payment), or why it is refused: 'not_in_batch',
-- 'batch_cancelled', 'amount_differs', 'answered_otherwise', or a refusal of withdrawals.pay_out.
create or replace function console_money.take_answer(of_batch integer, of_withdrawal bigint, amount bigint, new_state text,
  new_reference text, new_reason text, in_session text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(in_session, 'owner', 'finance');
  sent console_money.bank_payment;
  locked_withdrawal withdrawals.withdrawal;
  verdict text;
begin
  if (new_state in ('paid', 'failed')) is not true then
    raise exception 'a bank says paid or failed, not %', new_state using errcode = 'check_violation';
  end if;
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  select * into sent from console_money.bank_payment where batch_id = of_batch and withdrawal_id = of_withdrawal;
  verdict := case
    when sent.batch_id is null then 'not_in_batch'
    when (select state from console_money.bank_batch where id = of_batch) = 'cancelled' then 'batch_cancelled'
    when sent.amount is distinct from amount then 'amount_differs'
    when sent.state = 'sent' then null
    when sent.state = new_state
      and (new_state = 'failed' or app.reference_key(sent.reference) = app.reference_key(new_reference)) then 'same'
    else 'answered_otherwise' end;
  if verdict is not null then return verdict; end if;
  if new_state = 'paid' then
    verdict := withdrawals.pay_out(of_withdrawal, by_staff, new_reference, of_batch);
    if verdict <> 'paid' then return verdict; end if;
  else
    update withdrawals.withdrawal set at_bank = false where id = of_withdrawal;
    perform staff.deny_payment('withdrawal:' || of_withdrawal, by_staff,
      (select taken from staff.taken_payment taken where subject = 'bank_batch:' || of_batch));
  end if;
  update console_money.bank_payment
  set state = new_state, reference = new_reference, reason = new_reason, answered_by = by_staff, answered_at = app.now()
  where batch_id = of_batch and withdrawal_id = of_withdrawal;
  return new_state;
end
$$;

-- Records the bank's answer for a batch, line by line in the order of the withdrawals. If a line is wrong, the caller
-- rolls everything back. Lines that another person has to record are skipped. When no payment is
-- left, the batch is done. Returns the result for each line; nothing if there is no such batch.
create or replace function console_money.answer_batch(of_batch integer, answers jsonb, by_session text)
returns table (line integer, withdrawal_id bigint, outcome text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  answer record;
begin
  perform from console_money.bank_batch where id = of_batch for update;
  if not found then return; end if;
  for answer in
    select * from jsonb_to_recordset(answers)
      as (line integer, withdrawal bigint, amount bigint, state text, reference text, reason text)
    order by withdrawal
  loop
    line := answer.line;
    withdrawal_id := answer.withdrawal;
    outcome := console_money.take_answer(of_batch, answer.withdrawal, answer.amount, answer.state, answer.reference,
      answer.reason, by_session);
    return next;
  end loop;
  update console_money.bank_batch set state = 'done', ended_by = by_staff, ended_at = app.now()
  where id = of_batch and state = 'open'
    and not exists (select from console_money.bank_payment sent where sent.batch_id = of_batch and sent.state = 'sent');
end
$$;

-- Cancels a batch of which the bank has paid nothing, by another person than the one who made it, or by its maker if he has
-- taken it: each of its withdrawals can be exported again once a person releases it who never had its file. While somebody
-- has taken it to have it paid, he alone cancels it. Answers 'cancelled', not_found, decided, same_person or payment_taken.
create or replace function console_money.cancel_batch(of_batch integer, why text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  batch console_money.bank_batch;
  taker integer;
begin
  select * into batch from console_money.bank_batch where id = of_batch for update;
  if batch.id is null then return 'not_found'; end if;
  if batch.state <> 'open'
    or exists (select from console_money.bank_payment where batch_id = of_batch and state <> 'sent')
  then
    return 'decided';
  end if;
  taker := staff.taker_of('bank_batch:' || of_batch);
  if taker <> by_staff then return 'payment_taken'; end if;
  if batch.made_by = by_staff and taker is null then return 'same_person'; end if;
  update console_money.bank_payment
  set state = 'failed', reason = why, answered_by = by_staff, answered_at = app.now() where batch_id = of_batch;
  update withdrawals.withdrawal set at_bank = false
  where id in (select withdrawal_id from console_money.bank_payment where batch_id = of_batch);
  perform staff.deny_payment('withdrawal:' || withdrawal_id, by_staff,
    (select taken from staff.taken_payment taken where subject = 'bank_batch:' || of_batch))
  from console_money.bank_payment where batch_id = of_batch;
  update console_money.bank_batch
  set state = 'cancelled', ended_by = by_staff, ended_at = app.now(), cancel_reason = why where id = of_batch;
  return 'cancelled';
end
$$;

-- Marks the payment of a withdrawal in its batch as not made, for a reason.
create or replace function console_money.fail_payment(of_withdrawal bigint, member integer, why text) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  update console_money.bank_payment
  set state = 'failed', reference = null, answered_by = member, answered_at = app.now(), reason = why
  where withdrawal_id = of_withdrawal and state = 'paid';
end;

-- Counts what the transaction of a payout paid to its payee, which is another amount, by another person than the one who
-- named it. If it is less than what was to be paid, the rest is to be paid; he does not pay it. If it is as much or more,
-- it is paid once a second person accepts it too. Answers 'part', 'first', 'accepted', not_found, not_approved, decided
-- (another transaction is named now, or it pays him nothing) or same_person.
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
  -- Of two withdrawals that one transaction pays, the second waits.
  perform pg_advisory_xact_lock(hashtext('payment ' || paid.payout_key));
  seen := withdrawals.seen_amount(paid);
  if seen = 0 or paid.payout_key is distinct from app.reference_key(reference) then return 'decided'; end if;
  if by_staff in (coalesce(paid.payout_corrected_by, paid.payout_recorded_by), paid.payout_accepted_by) then
    return 'same_person';
  end if;
  if seen >= paid.rest and paid.payout_accepted_by is null then
    update withdrawals.withdrawal set payout_accepted_by = by_staff where id = of_withdrawal;
    return 'first';
  end if;
  delete from withdrawals.payout_transfer
  where withdrawal_id = of_withdrawal and not counted and not withdrawals.is_free_transfer(payout_key, log);
  update withdrawals.payout_transfer set counted = true where withdrawal_id = of_withdrawal;
  if seen >= paid.rest then
    update withdrawals.withdrawal set payout_chain = 'seen', payout_fault = null,
      payout_log = (select min(log) from withdrawals.payout_transfer found
        where withdrawal_id = of_withdrawal and found.payout_key = paid.payout_key)
    where id = of_withdrawal;
    return 'accepted';
  end if;
  perform staff.deny_payment('withdrawal:' || of_withdrawal, by_staff);
  update withdrawals.withdrawal
  set paid_part = paid_part + seen, payout_reference = null, payout_batch = null, payout_recorded_by = null, paid_at = null,
    sent_at = null, payout_chain = null, payout_fault = null, payout_corrected_by = null, payout_absent_at = null,
    payout_accepted_by = null
  where id = of_withdrawal;
  perform console_money.fail_payment(of_withdrawal, by_staff, 'It paid a part: the rest is to be paid');
  return 'part';
end
$$;

-- Corrects the transaction of a payout to a wallet that the chain does not have, or that pays something else, by another
-- person than the one who named it. Without a reference the withdrawal is to be paid again, which is possible once the
-- transaction cannot come any more: it is wrong, or no node has it in the blocks of a day after it was named, whatever
-- the time is now. It stays in its batch, which one transaction may have paid. A payment of a bank is to be made again
-- if the bank has sent it back. Answers 'corrected', not_found, not_approved, decided (it is seen, or its bank's
-- reference stays), same_person, too_early, not_a_transaction or reference_used. What the transaction paid to this payee
-- is not counted.
create or replace function console_money.correct_payout(of_withdrawal bigint, by_session text, reference text) returns text
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
  if paid.payout_chain = 'seen' or by_bank and reference is not null then return 'decided'; end if;
  if coalesce(paid.payout_corrected_by, paid.payout_recorded_by) = by_staff then return 'same_person'; end if;
  if reference is null then
    -- A transaction is valid for a day at most.
    if paid.payout_chain = 'awaited' and (paid.payout_absent_at >= paid.paid_at + interval '25 hours') is not true then
      return 'too_early';
    end if;
    delete from withdrawals.payout_transfer where withdrawal_id = of_withdrawal and not counted;
    perform staff.deny_payment('withdrawal:' || of_withdrawal, by_staff);
    update withdrawals.withdrawal
    set payout_reference = null, payout_batch = null, payout_recorded_by = null, paid_at = null,
      sent_at = null, payout_chain = null, payout_fault = null, payout_corrected_by = null, payout_absent_at = null,
      payout_accepted_by = null
    where id = of_withdrawal;
    perform console_money.fail_payment(of_withdrawal, by_staff,
      case when by_bank then 'The bank sent it back' else 'The chain has no such payment' end);
    return 'corrected';
  end if;
  if not withdrawals.is_transaction(reference) then return 'not_a_transaction'; end if;
  if paid.payout_key = key or not withdrawals.take_reference(key, paid.payout_batch) then return 'reference_used'; end if;
  delete from withdrawals.payout_transfer where withdrawal_id = of_withdrawal and not counted;
  update withdrawals.withdrawal
  set payout_reference = reference, paid_at = app.now(),
    payout_chain = 'awaited', payout_fault = null, payout_corrected_by = by_staff, payout_absent_at = null,
    payout_accepted_by = null
  where id = of_withdrawal;
  update console_money.bank_payment set reference = correct_payout.reference, answered_by = by_staff, answered_at = app.now()
  where withdrawal_id = of_withdrawal and state = 'paid';
  return 'corrected';
end
$$;

-- The debits (in) and credits (out) of each account, by kind, from a moment until before another.
create or replace function console_money.moved_between(since timestamptz, until timestamptz)
returns table (account text, kind text, debit numeric, credit numeric)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select named.account, posting.kind, sum(side.debit), sum(side.credit)
  from ledger.posting
  left join accounts.player on player.id = holder_id
  cross join lateral (values (source, 0, amount), (destination, amount, 0)) side (account, debit, credit)
  cross join lateral (select case when side.account in ('cash', 'held') and not accounts.is_person(player)
    then 'robots:' || side.account else side.account end as account) named
  where posted_at >= since and posted_at < until
  group by named.account, posting.kind;
end;

-- The trial balance before a moment: the last snapshot before it, and the postings since. The debits of all accounts
-- equal their credits.
create or replace function console_money.trial_balance(until timestamptz)
returns table (account text, kind text, debit numeric, credit numeric)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with last_snapshot as (select max(at) as at from console_money.balance_snapshot where at <= until)
  select summed.account, summed.kind, sum(summed.debit), sum(summed.credit)
  from last_snapshot cross join lateral (
    select snapshot.account, snapshot.kind, snapshot.debit, snapshot.credit from console_money.balance_snapshot snapshot
    where snapshot.at = last_snapshot.at
    union all
    select moved.account, moved.kind, moved.debit, moved.credit
    from console_money.moved_between(coalesce(last_snapshot.at, '-infinity'), until) moved) summed
  group by summed.account, summed.kind;
end;

-- What chain and bank brought to players from a moment until before another, less what was taken back then.
create or replace function console_money.deposited_between(since timestamptz, until timestamptz,
  out by_chain numeric, out by_bank numeric)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  -- Assigned transfers by their assignments: what was taken back has none any more.
  with by_persons as (
    select kind, amount from deposits.by_persons where confirmed_at >= since and confirmed_at < until
    union all
    select kind, -back.amount from deposits.taking_back back join deposits.by_persons booked on booked.id = deposit
    where back.state = 'confirmed' and back.confirmed_at >= since and back.confirmed_at < until
  )
  select
    (select coalesce(sum(amount), 0) from deposits.transfer
      where credited_at >= since and credited_at < until and assignment is null)
      + (select coalesce(sum(amount), 0) from by_persons where kind = 'assignment'),
    (select coalesce(sum(amount), 0) from by_persons where kind = 'bank_deposit');
end;

-- The same of all before a moment: the last snapshot before it, and what came since.
create or replace function console_money.deposited_before(until timestamptz, out by_chain numeric, out by_bank numeric)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select coalesce(last.by_chain, 0) + later.by_chain, coalesce(last.by_bank, 0) + later.by_bank
  from (select max(at) as at from console_money.deposit_snapshot where at <= until) stored
  left join console_money.deposit_snapshot last on last.at = stored.at
  cross join lateral console_money.deposited_between(coalesce(stored.at, '-infinity'), until) later;
end;

-- Stores balances and deposits as a snapshot, six hours after the last one at the earliest and a day after it at the latest. The
-- last hour is left out, because its transactions may still be open. Returns whether it stored one, and so may
-- have more to do.
create or replace function console_money.snapshot_balances() returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  last constant timestamptz := (select max(at) from console_money.balance_snapshot);
  due timestamptz;
begin
  if not pg_try_advisory_xact_lock(hashtext('console_money.snapshot_balances')) then return false; end if;
  due := least(coalesce(last, (select min(posted_at) from ledger.posting)) + interval '1 day',
    date_trunc('hour', app.now() - interval '1 hour'));
  if due < last + interval '6 hours' then return false; end if;
  insert into console_money.balance_snapshot (at, account, kind, debit, credit)
  select due, account, kind, debit, credit from console_money.trial_balance(due);
  if not found then return false; end if;
  insert into console_money.deposit_snapshot (at, by_chain, by_bank)
  select due, by_chain, by_bank from console_money.deposited_before(due);
  return true;
end
$$;

-- Whether a member of staff may confirm a proposal, or give its payment back or release it, as with a withdrawal: false if
-- it waits for another person, null if for nobody, such as a void of a round that has ended, or a refund to a player on hold.
create or replace function console_money.waits_for(proposal staff.proposal, member integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return case
  when proposal.state <> 'proposed' then null
  when proposal.kind = 'void' and not exists (select from rounds.round
    where game_id = split_part(proposal.subject, ':', 2)::smallint
      and issue = split_part(proposal.subject, ':', 3)::bigint
      and round.state in ('open', 'sealed') and draws_at > app.now()) then null
  when proposal.kind = 'refund' and staff.taker_of(proposal.subject) is null
    and console_money.obstacle_of_refund(proposal) is not null then null
  when not exists (select from staff.member acting join staff.proposal_kind rules on rules.kind = proposal.kind
      where acting.id = member and acting.role = any (rules.confirmed_by)
        and (proposal.kind not in ('bonus', 'credit', 'debit') or proposal.content ? 'deposit' or (proposal.content ->> 'amount')::bigint
          <= console_money.adjustment_left(proposal.player_id, proposal.id, acting.role, proposal.kind)))
  then false
  when proposal.kind = 'refund' and staff.taker_of(proposal.subject) is not null
  then coalesce(member = staff.payer_of(proposal.subject), true)
  when proposal.kind = 'refund' and staff.is_denied(proposal.subject)
  then not staff.has_denied(proposal.subject, member)
  when proposal.kind = 'reversal' and staff.has_denied(proposal.subject, member) then false
  else member is distinct from proposal.proposed_by and member is distinct from proposal.first_confirmed_by
  end;

-- What each part of the product may do.
grant usage on schema console_money to sum28_api, sum28_jobs;
grant select on console_money.balance_snapshot, console_money.bank_batch, console_money.bank_payment,
  console_money.deposit_snapshot to sum28_api, sum28_jobs;
grant execute on function console_money.left_of_deposit to sum28_api;
grant execute on function console_money.accept_payout, console_money.adjustment_left, console_money.answer_batch, console_money.cancel_batch,
  console_money.correct_payout, console_money.correct_refund, console_money.deposited_before, console_money.give_refund_back, console_money.make_batch, console_money.release_batch,
  console_money.release_payment, console_money.release_refund, console_money.return_refund, console_money.take_batch, console_money.take_refund,
  console_money.trial_balance to sum28_api;
grant execute on function console_money.waits_for to sum28_api, sum28_jobs;
grant execute on function console_money.deposited_between, console_money.moved_between, console_money.snapshot_balances,
  console_money.take_refund_answer to sum28_jobs;
