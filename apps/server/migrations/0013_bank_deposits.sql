-- Deposits by bank, recorded by one member of staff and confirmed by another; addresses, given once,
-- and those of ours that are nobody's yet; and the daily comparison of chain and ledger.

-- A member's address is given once: another in its place would send his money elsewhere.
create trigger address_given_once before update on deposits.address
  for each row when (old.address is not null and new.address is distinct from old.address)
  execute function app.refuse_change();
revoke update on deposits.address from sum28_application;
grant update (address) on deposits.address to sum28_application;

-- The operator's account that players send to; absent where there is none.
create table deposits.bank_account (
  singleton boolean primary key default true check (singleton),
  bank_name text not null,
  holder text not null,
  number text not null
);

create table deposits.bank_deposit (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  amount bigint not null check (amount > 0),
  -- The bank's own reference: one deposit for each that is not refused, however two people type its
  -- blanks and letters.
  bank_reference text not null,
  reference_key text not null generated always as (upper(regexp_replace(bank_reference, '\s', '', 'g'))) stored,
  recorded_by integer not null references staff.member,
  recorded_at timestamptz not null default app.now(),
  state text not null default 'recorded' check (state in ('recorded', 'confirmed', 'refused')),
  decided_by integer references staff.member,
  decided_at timestamptz,
  refuse_reason text,
  constraint two_people check (decided_by is distinct from recorded_by or decided_by is null or state = 'refused'),
  check ((state = 'recorded') = (decided_by is null)),
  check ((state = 'recorded') = (decided_at is null)),
  check ((state = 'refused') = (refuse_reason is not null))
);
create unique index bank_reference_once on deposits.bank_deposit (reference_key) where state <> 'refused';
create index bank_deposit_by_state on deposits.bank_deposit (state, id desc);

create function deposits.guard_bank_deposit() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.state <> 'recorded'
    or (new.id, new.player_id, new.amount, new.bank_reference, new.recorded_by, new.recorded_at)
      is distinct from
       (old.id, old.player_id, old.amount, old.bank_reference, old.recorded_by, old.recorded_at)
  then
    raise exception 'bank deposit % is decided, and what was recorded never changes', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger bank_deposit_guarded before update on deposits.bank_deposit
  for each row execute function deposits.guard_bank_deposit();
create trigger bank_deposit_never_deleted before delete on deposits.bank_deposit
  for each row execute function app.refuse_change();
create trigger bank_deposit_never_truncated before truncate on deposits.bank_deposit
  for each statement execute function app.refuse_change();

-- Answers the deposit's id, or null when the bank's reference was recorded before.
create function deposits.record_bank_deposit(of_player integer, amount bigint, bank_reference text, by_staff integer)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  made bigint;
begin
  insert into deposits.bank_deposit (player_id, amount, bank_reference, recorded_by)
  values (of_player, amount, bank_reference, by_staff)
  on conflict (reference_key) where state <> 'refused' do nothing
  returning id into made;
  return made;
end
$$;

-- Confirms and credits. Answers 'confirmed', not_found, decided or same_person.
create function deposits.confirm_bank_deposit(of_deposit bigint, by_staff integer, on_day date) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked deposits.bank_deposit;
begin
  select * into asked from deposits.bank_deposit where id = of_deposit for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'recorded' then return 'decided'; end if;
  if asked.recorded_by = by_staff then return 'same_person'; end if;
  update deposits.bank_deposit set state = 'confirmed', decided_by = by_staff, decided_at = app.now()
  where id = of_deposit;
  perform ledger.post(array[wallet.deposit_request(
    asked.player_id, on_day, asked.amount, 'bank:' || asked.id)]);
  return 'confirmed';
end
$$;

-- Refuses a record that was wrong; nothing is credited. Whoever recorded it may do so too. Answers
-- 'refused', not_found or decided.
create function deposits.refuse_bank_deposit(of_deposit bigint, by_staff integer, why text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked deposits.bank_deposit;
begin
  select * into asked from deposits.bank_deposit where id = of_deposit for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'recorded' then return 'decided'; end if;
  update deposits.bank_deposit
  set state = 'refused', decided_by = by_staff, decided_at = app.now(), refuse_reason = why
  where id = of_deposit;
  return 'refused';
end
$$;

grant select, insert, update, delete on deposits.bank_account to sum28_application;
grant select on deposits.bank_deposit to sum28_application;

-- Addresses under the operator's account key that no member had when they were noted: indices that
-- come next, and indices that were taken by transactions which came to nothing. What arrives there
-- is kept for staff. A row stays when its index is given to a member.
create table deposits.spare_address (
  -- Which account key: its BIP-32 identifier, in hexadecimal.
  account text not null,
  derivation_index integer not null,
  address text not null unique,
  primary key (account, derivation_index)
);
grant select, insert on deposits.spare_address to sum28_application;

create index transfer_unmatched on deposits.transfer (block desc, log_index desc) where player_id is null;
create index transfer_by_block on deposits.transfer (block);

-- How far the daily comparison has come. Blocks up to begun_after were never watched.
create table deposits.rescan_place (
  chain text primary key,
  begun_after bigint not null,
  block bigint not null,
  moved_at timestamptz not null default app.now(),
  check (block >= begun_after and begun_after >= 0)
);
grant select, insert, update on deposits.rescan_place to sum28_application;

-- What the daily comparison of chain and ledger found.
create table deposits.chain_difference (
  id bigint generated always as identity primary key,
  found_at timestamptz not null default app.now(),
  kind text not null check (kind in ('missing_in_ledger', 'missing_on_chain', 'amount_differs', 'unmatched')),
  tx_id text not null,
  log_index integer not null,
  details jsonb not null,
  constraint reported_once unique (kind, tx_id, log_index)
);
grant select, insert on deposits.chain_difference to sum28_application;

-- Compares the transfers that the chain has in the blocks above after_block up to last_block with
-- what was recorded and booked of them. Whoever was the address's member when the transfer came is
-- who must have it: one that was unmatched then stays so.
create function deposits.compare_with_chain(transfers jsonb, after_block bigint, last_block bigint)
returns table (kind text, tx_id text, log_index integer, details jsonb)
language sql stable
begin atomic
  with on_chain as (
    select given.*, address.player_id as owner_id
    from jsonb_to_recordset(transfers) as given (tx_id text, log_index integer, block bigint,
        to_address text, amount bigint)
      left join deposits.address on address.address = given.to_address
    where address.address is not null
      or exists (select from deposits.spare_address spare where spare.address = given.to_address)
  ),
  recorded as (
    select transfer.* from deposits.transfer
    where block > after_block and block <= last_block
      or exists (select from on_chain
        where on_chain.tx_id = transfer.tx_id and on_chain.log_index = transfer.log_index)
  ),
  compared as (
    select coalesce(on_chain.tx_id, recorded.tx_id) as tx_id,
      coalesce(on_chain.log_index, recorded.log_index) as log_index,
      coalesce(on_chain.block, recorded.block) as block,
      on_chain.amount as chain_amount, recorded.amount as recorded_amount, booked.amount as booked_amount,
      on_chain.owner_id, recorded.player_id,
      on_chain.tx_id is not null as is_on_chain, recorded.tx_id is not null as is_recorded
    from on_chain full join recorded
        on recorded.tx_id = on_chain.tx_id and recorded.log_index = on_chain.log_index
          and recorded.to_address = on_chain.to_address
      left join lateral (
        select sum(posting.amount) as amount from ledger.posting
        where posting.holder_id = coalesce(on_chain.owner_id, recorded.player_id)
          and posting.kind = 'deposit'
          and posting.reference = 'usdt:' || coalesce(on_chain.tx_id, recorded.tx_id) || ':'
            || coalesce(on_chain.log_index, recorded.log_index)
      ) booked on true
  )
  select judged.kind, judged.tx_id, judged.log_index,
    jsonb_strip_nulls(jsonb_build_object('block', block, 'player_id', coalesce(player_id, owner_id),
      'chain_amount', chain_amount::text, 'recorded_amount', recorded_amount::text,
      'booked_amount', booked_amount::text))
  from (
    select compared.*, case
      when not is_on_chain then 'missing_on_chain'
      when not is_recorded then 'missing_in_ledger'
      when chain_amount <> recorded_amount then 'amount_differs'
      when player_id is null then 'unmatched'
      when booked_amount is null then 'missing_in_ledger'
      when booked_amount <> chain_amount then 'amount_differs'
    end as kind
    from compared
  ) judged
  where judged.kind is not null;
end;

-- Deposits booked since a day as USDT of which no transfer was ever recorded for that player, and
-- which no comparison has named yet.
create function deposits.stray_deposits(since date)
returns table (tx_id text, log_index integer, details jsonb)
language sql stable
begin atomic
  select split_part(reference, ':', 2), split_part(reference, ':', 3)::integer,
    jsonb_build_object('player_id', holder_id, 'booked_amount', amount::text)
  from ledger.posting
  where kind = 'deposit' and booked_on >= since and reference ~ '^usdt:[0-9a-f]{64}:[0-9]+$'
    and not exists (select from deposits.transfer
      where transfer.player_id = holder_id
        and reference = 'usdt:' || transfer.tx_id || ':' || transfer.log_index)
    and not exists (select from deposits.chain_difference difference
      where difference.tx_id = split_part(reference, ':', 2)
        and difference.log_index = split_part(reference, ':', 3)::integer);
end;

revoke execute on function deposits.record_bank_deposit, deposits.confirm_bank_deposit,
  deposits.refuse_bank_deposit, deposits.compare_with_chain, deposits.stray_deposits from public;
grant execute on function deposits.record_bank_deposit, deposits.confirm_bank_deposit,
  deposits.refuse_bank_deposit, deposits.compare_with_chain, deposits.stray_deposits to sum28_application;
