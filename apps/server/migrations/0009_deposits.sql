-- Deposits by USDT: an address for each member, what arrived there, and how far the chain was read.

create schema deposits;
grant usage on schema deposits to sum28_application;

create table deposits.address (
  player_id integer primary key references accounts.player,
  derivation_index integer not null unique generated always as identity (start with 0 minvalue 0),
  -- Filled in the transaction that takes the index.
  address text unique
);

-- One row: the last block that was wholly done.
create table deposits.watcher_place (
  chain text primary key,
  block bigint not null check (block >= 0),
  moved_at timestamptz not null default app.now()
);

create table deposits.transfer (
  tx_id text not null,
  log_index integer not null,
  block bigint not null,
  block_at timestamptz not null,
  from_address text not null,
  to_address text not null,
  amount bigint not null check (amount > 0),
  -- The member whose address it is; null: unmatched, kept for staff.
  player_id integer references accounts.player,
  credited_at timestamptz,
  primary key (tx_id, log_index)
);
create index transfer_of_player on deposits.transfer (player_id, block desc);

-- Records the transfers of a block, credits those that reach a member, and moves the watcher's
-- place, all or nothing. A transfer that is there already is not touched. Answers the credited.
create function deposits.take_block(chain_name text, block_number bigint, block_at timestamptz,
  transfers jsonb, on_day date)
returns table (player_id integer, amount bigint, tx_id text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  place bigint;
begin
  select block into place from deposits.watcher_place where chain = chain_name for update;
  if place is distinct from block_number - 1 then
    raise exception 'block % was offered, but the place is after block %', block_number, place;
  end if;

  return query
  with arrived as (
    insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
      player_id, credited_at)
    select given.tx_id, given.log_index, block_number, take_block.block_at, given.from_address,
      given.to_address, given.amount, address.player_id,
      case when address.player_id is not null then app.now() end
    from jsonb_to_recordset(transfers) as given (tx_id text, log_index integer, from_address text,
        to_address text, amount bigint)
      left join deposits.address on address.address = given.to_address
    where given.amount > 0
    order by given.tx_id, given.log_index
    on conflict do nothing
    returning *
  ),
  credited as (
    select ledger.post(array_agg(
      wallet.deposit_request(arrived.player_id, on_day, arrived.amount,
        'usdt:' || arrived.tx_id || ':' || arrived.log_index)
      order by arrived.player_id, arrived.tx_id, arrived.log_index))
    from arrived where arrived.player_id is not null
    having count(*) > 0
  )
  select arrived.player_id, arrived.amount, arrived.tx_id
  from arrived, (select count(*) from credited) done
  where arrived.player_id is not null;

  update deposits.watcher_place set block = block_number, moved_at = app.now() where chain = chain_name;
end
$$;

revoke execute on all functions in schema deposits from public;
grant execute on function deposits.take_block to sum28_application;
grant select, insert, update on deposits.address to sum28_application;
grant select, insert on deposits.watcher_place to sum28_application;
grant select on deposits.transfer to sum28_application;
