-- Bonuses and corrections of balances, and deposits that are taken back. A deposit is locked before its player's balance.

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
-- proposal says, or was paid back), already_proposed (staff pay it back, or it is proposed whole), payment_taken (one of
-- them had it to pay back), above_deposit, part_of_deposit (an assigned transfer and a held deposit are taken back
-- whole), account_closed, insufficient_balance; or null. A held one is its subject: while that is proposed it is not
-- released. Locks transfer, deposit and balance.
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
  if proposed.id is null then
    if held.state = 'held' and staff.is_proposed(proposed.subject) or booked.kind = 'assignment'
      and exists (select from deposits.taking_back where deposit = booked.id and state = 'proposed')
    then
      return 'already_proposed';
    end if;
    if held.state = 'held' and staff.is_denied(proposed.subject) then return 'payment_taken'; end if;
  end if;
  perform from ledger.balance where holder_id = booked.player_id for no key update;
  deposit_left := console_money.left_of_deposit(booked.player_id, booked.id, proposed.id);
  if deposit_left is null then return 'decided'; end if;
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

grant execute on function console_money.adjustment_left, console_money.left_of_deposit to sum28_api;
