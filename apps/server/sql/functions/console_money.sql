-- The console's area money: held deposits that are paid back, and adjustments of balances. A deposit or an
-- adjustment is locked before its player's balance.

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

-- Why this person may not adjust a balance so; null where he may. The caller has locked the balance, so of two
-- at once the second sees the first. Whatever is proposed for the player, or was confirmed within 24 hours, counts
-- for the limit of the role, so that a large sum cannot be given in parts. `except_id`: the one that is confirmed.
create or replace function console_money.judge_adjustment(of_player integer, of_kind text, amount bigint,
  except_id bigint, of_role text) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  if (select state from accounts.player where id = of_player) = 'closed' then return 'account_closed'; end if;
  if of_kind = 'bonus' and exists (select from protection.player
    where player_id = of_player and (excluded_until > app.now() or under_review))
  then
    return 'excluded';
  end if;
  if of_kind = 'debit' and amount > (select cash from ledger.balance where holder_id = of_player) then
    return 'insufficient_balance';
  end if;
  if amount > console_money.adjustment_left(of_player, except_id, of_role) then return 'above_role_limit'; end if;
  return null;
end
$$;

-- How much of a role's limit for a player is left, in micro-units, without the adjustment `except_id`.
create or replace function console_money.adjustment_left(of_player integer, except_id bigint, of_role text) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return greatest(0, coalesce((select amount_max from wallet.adjustment_limit where role = of_role), 0) - coalesce((
  select sum(amount) from wallet.adjustment
  where player_id = of_player and id is distinct from except_id
    and (state = 'proposed' or state = 'confirmed' and decided_at > app.now() - interval '24 hours')), 0))::bigint;

-- Proposes an adjustment. Answers said: 'proposed' with the adjustment's id, or not_found, account_closed,
-- excluded (no bonus during a break or a review), insufficient_balance, above_role_limit.
create or replace function console_money.propose_adjustment(of_player integer, of_kind text, amount bigint, why text,
  by_session text) returns table (said text, adjustment_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
begin
  if not exists (select from accounts.player where id = of_player and kind = 'person') then
    said := 'not_found';
    return next;
    return;
  end if;
  perform from ledger.balance where holder_id = of_player for no key update;
  said := console_money.judge_adjustment(of_player, of_kind, amount, null,
    (select role from staff.member where id = by_staff));
  if said is null then
    insert into wallet.adjustment (player_id, kind, amount, reason, proposed_by, proposed_at)
    values (of_player, of_kind, amount, why, by_staff, app.now()) returning id into adjustment_id;
    said := 'proposed';
  end if;
  return next;
end
$$;

-- Confirms an adjustment that another person has proposed: the money moves. Answers 'confirmed', not_found,
-- decided, same_person, or what propose_adjustment refuses with.
create or replace function console_money.confirm_adjustment(of_adjustment bigint, on_day date, by_session text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  asked wallet.adjustment;
  why_not text;
begin
  select * into asked from wallet.adjustment where id = of_adjustment for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'proposed' then return 'decided'; end if;
  if asked.proposed_by = by_staff then return 'same_person'; end if;
  perform from ledger.balance where holder_id = asked.player_id for no key update;
  why_not := console_money.judge_adjustment(asked.player_id, asked.kind, asked.amount, asked.id,
    (select role from staff.member where id = by_staff));
  if why_not is not null then return why_not; end if;
  update wallet.adjustment set state = 'confirmed', decided_by = by_staff, decided_at = app.now()
  where id = of_adjustment;
  perform wallet.adjust(asked.kind, array[
    row(asked.player_id, on_day, asked.amount, 'adjustment:' || asked.id)::wallet.movement]);
  return 'confirmed';
end
$$;

-- Ends a proposal: whoever made it withdraws it, another person refuses it. Answers 'withdrawn', 'refused',
-- not_found or decided.
create or replace function console_money.end_adjustment(of_adjustment bigint, why text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  asked wallet.adjustment;
  becomes text;
begin
  select * into asked from wallet.adjustment where id = of_adjustment for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'proposed' then return 'decided'; end if;
  becomes := case when asked.proposed_by = by_staff then 'withdrawn' else 'refused' end;
  update wallet.adjustment set state = becomes, decided_by = by_staff, decided_at = app.now(), refuse_reason = why
  where id = of_adjustment;
  return becomes;
end
$$;

-- What the application may do.
grant usage on schema console_money to sum28_application;
grant execute on function console_money.adjustment_left, console_money.confirm_adjustment,
  console_money.confirm_return, console_money.end_adjustment, console_money.propose_adjustment,
  console_money.propose_return, console_money.refuse_return to sum28_application;
