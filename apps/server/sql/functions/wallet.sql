-- A player's money: the only functions that call the ledger. Only this file names the two accounts of each kind of
-- movement.

-- Every account gets a wallet.
create or replace function wallet.open_with_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.balance (holder_id) values (new.id);
  return null;
end
$$;

create or replace trigger wallet_opens after insert on accounts.player
  for each row execute function wallet.open_with_account();

-- The two accounts of each kind of movement.
create or replace view wallet.movement_kind as
select * from (values
  -- Bets: the stake when the bet is accepted, and its winnings or its refund.
  ('stake', 'cash', 'house:game'),
  ('payout', 'house:game', 'cash'),
  ('refund', 'house:game', 'cash'),
  -- Deposits; those blocked by a limit are held, and then credited or paid back. What was booked by mistake is taken
  -- back.
  ('deposit', 'house:treasury', 'cash'),
  ('deposit_held', 'house:treasury', 'held'),
  ('deposit_released', 'held', 'cash'),
  ('deposit_refunded', 'held', 'house:treasury'),
  ('deposit_taken_back', 'cash', 'house:treasury'),
  ('held_taken_back', 'held', 'house:treasury'),
  -- Withdrawals: held at the request, then paid out or released; one that cannot be paid comes back.
  ('withdrawal', 'cash', 'held'),
  ('withdrawal_paid', 'held', 'house:treasury'),
  ('withdrawal_released', 'held', 'cash'),
  ('withdrawal_reversed', 'house:treasury', 'cash'),
  -- A robot's money besides its bets: neither deposits nor withdrawals.
  ('robot_funding', 'house:robots', 'cash'),
  ('robot_sweep', 'cash', 'house:robots'),
  -- Bonuses and corrections, against the house's account for movements without play.
  ('bonus', 'house:bonus', 'cash'),
  ('adjustment_credit', 'house:bonus', 'cash'),
  ('adjustment_debit', 'cash', 'house:bonus')
) known (kind, source, destination);

-- Posts the movements, all or none, in their order. Returns the player's cash after each, and its number. Fails as
-- ledger.post does.
create or replace function wallet.move(kind text, movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  accounts record;
begin
  if coalesce(cardinality(movements), 0) = 0 then return; end if;
  select source, destination into strict accounts
  from wallet.movement_kind known where known.kind = move.kind;
  return query
  select posting.holder_id, posting.cash_after, posting.id
  from ledger.post(array(
    select row(movement.player_id, booked_on, kind, accounts.source, accounts.destination, amount,
      reference)::ledger.posting_request
    from unnest(movements) with ordinality as movement (player_id, booked_on, amount, reference, position)
    order by position)) posting;
end
$$;

grant select on wallet.adjustment_limit to sum28_application;
grant select on wallet.movement_kind to sum28_jobs;
