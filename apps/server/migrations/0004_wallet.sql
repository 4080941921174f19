-- A player's money: what moves it, and the keys that make a repeated request act once.

create schema wallet;
grant usage on schema wallet to sum28_application;

-- A request that named a key. The result is what the reply is made from, and is written in the
-- transaction that acts.
create table wallet.idempotency_key (
  player_id integer not null,
  key text not null check (length(key) between 1 and 255),
  route text not null,
  input_hash bytea not null,
  result jsonb,
  created_at timestamptz not null default app.now(),
  primary key (player_id, key)
);
create index idempotency_key_by_age on wallet.idempotency_key (created_at);

-- The movements that the layers above may ask for. Each names its accounts here and nowhere else.

create function wallet.stake_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'stake', 'cash', 'house:game', amount, reference)::ledger.posting_request;

create function wallet.payout_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'payout', 'house:game', 'cash', amount, reference)::ledger.posting_request;

create function wallet.refund_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'refund', 'house:game', 'cash', amount, reference)::ledger.posting_request;

create function wallet.deposit_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'deposit', 'house:treasury', 'cash', amount, reference)::ledger.posting_request;

grant select, insert, update, delete on wallet.idempotency_key to sum28_application;

-- Whoever has an account has a wallet.
create function wallet.open_with_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.balance (holder_id) values (new.id);
  return null;
end
$$;
create trigger wallet_opens after insert on accounts.player
  for each row execute function wallet.open_with_account();
