-- A player's money: the only functions that call the ledger, and the keys that make a repeated request act once. Only
-- this file names the two accounts of each kind of movement.

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

-- Posts the movements, all or none, in their order. Returns the player's cash after each, and its number. Fails as ledger.post does.
create or replace function wallet.move(kind text, source text, destination text, movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  if cardinality(movements) > 0 then
    return query
    select posting.holder_id, posting.cash_after, posting.id
    from ledger.post(array(
      select row(movement.player_id, booked_on, kind, source, destination, amount, reference)::ledger.posting_request
      from unnest(movements) with ordinality as movement (player_id, booked_on, amount, reference, position)
      order by position)) posting;
  end if;
end
$$;

-- Bets: the stake when the bet is accepted, and its winnings or its refund.
create or replace function wallet.take_stakes(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('stake', 'cash', 'house:game', movements);
end;

create or replace function wallet.pay_winnings(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('payout', 'house:game', 'cash', movements);
end;

create or replace function wallet.refund_stakes(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('refund', 'house:game', 'cash', movements);
end;

create or replace function wallet.credit_deposits(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('deposit', 'house:treasury', 'cash', movements);
end;

-- Deposits blocked by a limit: held, and then credited or paid back.
create or replace function wallet.hold_deposits(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('deposit_held', 'house:treasury', 'held', movements);
end;

create or replace function wallet.release_deposits(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('deposit_released', 'held', 'cash', movements);
end;

create or replace function wallet.refund_deposits(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('deposit_refunded', 'held', 'house:treasury', movements);
end;

-- Withdrawals: held at the request, and then paid out or released.
create or replace function wallet.reserve(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('withdrawal', 'cash', 'held', movements);
end;

create or replace function wallet.pay_out_held(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('withdrawal_paid', 'held', 'house:treasury', movements);
end;

create or replace function wallet.release_held(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('withdrawal_released', 'held', 'cash', movements);
end;

-- A withdrawal that was approved and cannot be paid: the amount of its approval comes back.
create or replace function wallet.reverse_withdrawals(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('withdrawal_reversed', 'house:treasury', 'cash', movements);
end;

-- A robot's money besides its bets. These movements are neither deposits nor withdrawals.
create or replace function wallet.fund_robots(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('robot_funding', 'house:robots', 'cash', movements);
end;

create or replace function wallet.sweep_robots(movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move('robot_sweep', 'cash', 'house:robots', movements);
end;

-- Bonuses and corrections, against the house's account for movements without play.
create or replace function wallet.adjust(of_kind text, movements wallet.movement[])
returns table (player_id integer, cash_after bigint, posting_id bigint)
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select * from wallet.move(
    case of_kind when 'bonus' then 'bonus' else 'adjustment_' || of_kind end,
    case of_kind when 'debit' then 'cash' else 'house:bonus' end,
    case of_kind when 'debit' then 'house:bonus' else 'cash' end, movements);
end;

-- What each part of the product may do.
grant usage on schema wallet to sum28_application;
grant select on wallet.adjustment_limit to sum28_application;
grant delete, insert, select, update on wallet.idempotency_key to sum28_api;
grant delete, select, update (created_at) on wallet.idempotency_key to sum28_jobs;
