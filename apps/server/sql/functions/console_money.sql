-- The console's area money: held deposits that are paid back. A deposit is locked before its player's balance.

-- Proposes to pay a held deposit back; from now on nothing releases it. Answers 'proposed', not_found, decided
-- or already_proposed.
create or replace function console_money.propose_return(of_deposit bigint, why text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
  asked protection.held_deposit;
begin
  select * into asked from protection.held_deposit where id = of_deposit for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'held' then return 'decided'; end if;
  if asked.return_proposed_at is not null then return 'already_proposed'; end if;
  update protection.held_deposit
  set return_proposed_by = by_staff, return_proposed_at = app.now(), return_reason = why
  where id = of_deposit;
  return 'proposed';
end
$$;

-- Takes a proposal back: the deposit is credited as soon as nothing holds it. The person who proposed it may
-- do so too. Answers 'refused', not_found, decided or not_proposed.
create or replace function console_money.refuse_return(of_deposit bigint, why text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked protection.held_deposit;
begin
  perform staff.acting(by_session, 'owner', 'finance');
  select * into asked from protection.held_deposit where id = of_deposit for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'held' then return 'decided'; end if;
  if asked.return_proposed_at is null then return 'not_proposed'; end if;
  update protection.held_deposit
  set return_proposed_by = null, return_proposed_at = null, return_reason = why
  where id = of_deposit;
  return 'refused';
end
$$;

-- Records that a held deposit was paid back, by another person than the one who proposed it: what was held
-- leaves the books. Answers 'paid', not_found, decided, not_proposed, same_person, or reference_used (another
-- payment, or the payout of a withdrawal, has it).
create or replace function console_money.confirm_return(of_deposit bigint, payment text, payment_key text,
  on_day date, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  asked protection.held_deposit;
begin
  select * into asked from protection.held_deposit where id = of_deposit for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'held' then return 'decided'; end if;
  if asked.return_proposed_at is null then return 'not_proposed'; end if;
  if asked.return_proposed_by = by_staff then return 'same_person'; end if;
  -- A payout that is recorded meanwhile waits, or was before.
  perform pg_advisory_xact_lock(hashtext('payment ' || payment_key));
  if exists (select from withdrawals.withdrawal where payout_key = payment_key) then return 'reference_used'; end if;
  update protection.held_deposit
  set state = 'returned', decided_by = by_staff, decided_at = app.now(), return_reference = payment,
    return_key = payment_key
  where id = of_deposit;
  perform wallet.return_deposits(array[
    row(asked.player_id, on_day, asked.amount, asked.reference)::wallet.movement]);
  return 'paid';
exception when unique_violation then
  return 'reference_used';
end
$$;

-- What the application may do.
grant usage on schema console_money to sum28_application;
grant execute on function console_money.confirm_return, console_money.propose_return,
  console_money.refuse_return to sum28_application;
