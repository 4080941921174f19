-- A player's money: what moves it, and the keys that make a repeated request act once.

-- The movements that the layers above may ask for. Each names its accounts here and nowhere else.
create or replace function wallet.stake_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'stake', 'cash', 'house:game', amount, reference)::ledger.posting_request;

create or replace function wallet.payout_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'payout', 'house:game', 'cash', amount, reference)::ledger.posting_request;

create or replace function wallet.refund_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'refund', 'house:game', 'cash', amount, reference)::ledger.posting_request;

create or replace function wallet.deposit_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'deposit', 'house:treasury', 'cash', amount, reference)::ledger.posting_request;

-- Whoever has an account has a wallet.
create or replace function wallet.open_with_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.balance (holder_id) values (new.id);
  return null;
end
$$;

create or replace trigger wallet_opens after insert on accounts.player
  for each row execute function wallet.open_with_account();

create or replace function wallet.hold_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'withdrawal', 'cash', 'held', amount, reference)::ledger.posting_request;

create or replace function wallet.pay_out_held_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'withdrawal_paid', 'held', 'house:treasury', amount, reference)::ledger.posting_request;

create or replace function wallet.return_held_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'withdrawal_returned', 'held', 'cash', amount, reference)::ledger.posting_request;

-- The movements of a robot's money besides its bets. They are no deposits and no withdrawals.
create or replace function wallet.robot_funding_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'robot_funding', 'house:robots', 'cash', amount, reference)::ledger.posting_request;

create or replace function wallet.robot_sweep_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'robot_sweep', 'cash', 'house:robots', amount, reference)::ledger.posting_request;

-- What the application may do.
revoke all on all tables in schema wallet from sum28_application;
revoke execute on all functions in schema wallet from public, sum28_application;
grant usage on schema wallet to sum28_application;
grant delete, insert, select, update on wallet.idempotency_key to sum28_application;
