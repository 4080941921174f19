-- Batches of withdrawals for the bank, or for wallets. A batch is locked before its withdrawals.

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
-- still pay, the oldest first. Of those to one wallet it has the oldest alone: where one transaction pays the whole
-- batch, each of its transfers is then of one withdrawal. Of two simultaneous calls the second finds nothing left. Returns
-- its id, null if there are none, and how many are left out for each reason of left_out.
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
  due := array(select min(payable.id) from withdrawals.withdrawal payable
    join withdrawals.pay_method on pay_method.id = payable.pay_method_id
    where payable.id = any (due) and console_money.left_out(payable) is null
    group by case when of_kind = 'wallet' then shown_number else payable.id::text end);
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
-- later batch has it; and so does what the taker approved, since he does not pay that. Answers 'taken' with what dropped
-- out, not_found, decided, payment_taken, payment_not_taken, same_person (he approved all of it; or, to take it over, an
-- unpaid one), or nothing_to_pay: all would drop out.
create or replace function console_money.take_batch(of_batch integer, taken_from text, by_session text)
returns table (answer text, dropped bigint[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  about constant text := 'bank_batch:' || of_batch;
  holder integer;
  due bigint[];
  own bigint[];
  stopped bigint[];
begin
  answer := (select state from console_money.bank_batch where id = of_batch for update);
  holder := staff.taker_of(about);
  dropped := '{}';
  due := array(select withdrawal_id from console_money.bank_payment where batch_id = of_batch and state = 'sent');
  own := array(select id from withdrawals.withdrawal where id = any (due) and by_staff in (approved_by, first_approved_by));
  if answer is null then answer := 'not_found';
  elsif answer <> 'open' then answer := 'decided';
  else answer := staff.take_payment(about, by_staff, taken_from);
  end if;
  if answer = 'taken' and holder <> by_staff and own <> '{}' then answer := 'same_person'; end if;
  if answer = 'taken' and holder is null then
    perform from withdrawals.withdrawal where id = any (due) order by id for no key update;
    perform console_money.lock_players(due);
    stopped := array(select payable.id from withdrawals.withdrawal payable
      join accounts.player on player.id = payable.player_id
      where payable.id = any (due) and withdrawals.obstacle(player) is not null);
    dropped := array(select distinct unnest(stopped || own) order by 1);
    if stopped @> due then answer := 'nothing_to_pay';
    elsif dropped @> due then answer := 'same_person'; end if;
    delete from console_money.bank_payment where batch_id = of_batch and withdrawal_id = any (dropped);
    update withdrawals.withdrawal set at_bank = false where id = any (dropped);
  end if;
  return next;
end
$$;

-- Releases a withdrawal that was said to be unpaid for the next batch, and to all who may pay by hand, by another person
-- than all who said so (recorded the bank's answer, cancelled the batch, gave it back) or had it before. Answers not_found,
-- or as staff.release_payment.
create or replace function console_money.release_payment(of_withdrawal bigint, seen timestamptz, by_session text) returns text
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
  verdict := case when unpaid.state = 'reversed' then 'decided' else staff.release_payment(about, by_staff, seen) end;
  if verdict = 'decided' and failed_in is null and not staff.is_denied(about) then return 'not_found'; end if;
  if verdict <> 'released' then return verdict; end if;
  update console_money.bank_payment set released_by = by_staff, released_at = app.now()
  where batch_id = failed_in and withdrawal_id = of_withdrawal and released_by is null and answered_by <> by_staff;
  return 'released';
end
$$;

-- Releases all withdrawals of a cancelled batch that nobody released yet, or said to be unpaid later, by another person than
-- the one who cancelled it, or had its file. Answers 'released' with these, not_found (there is no such cancelled batch),
-- decided (none is left) or same_person.
create or replace function console_money.release_batch(of_batch integer, by_session text)
returns table (answer text, released bigint[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  canceller integer;
  cancelled_at timestamptz;
  unpaid bigint;
  verdict text;
begin
  released := '{}';
  select ended_by, ended_at into canceller, cancelled_at from console_money.bank_batch
  where id = of_batch and state = 'cancelled' for no key update;
  answer := case when canceller is null then 'not_found' when canceller = by_staff then 'same_person' else 'decided' end;
  for unpaid in
    select withdrawal_id from console_money.bank_payment
    where batch_id = of_batch and released_by is null and canceller <> by_staff order by 1
  loop
    verdict := console_money.release_payment(unpaid, cancelled_at, by_session);
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
-- has taken it who may pay, he alone cancels it. Answers 'cancelled', not_found, decided, same_person or payment_taken.
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
  if taker <> by_staff and staff.payer_of('bank_batch:' || of_batch) is not null then return 'payment_taken'; end if;
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

grant execute on function console_money.answer_batch, console_money.cancel_batch, console_money.make_batch,
  console_money.release_batch, console_money.release_payment, console_money.take_batch to sum28_api;
