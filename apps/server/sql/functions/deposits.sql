-- Deposits by USDT and by bank, and the daily comparison of chain and ledger.

-- A transfer as proposals and the audit log name it.
create or replace function deposits.subject_of(tx_id text, log_index integer) returns text
language sql immutable
return 'transfer:' || tx_id || ':' || log_index;

-- The reference of a transfer's booking: each assignment has another, since it can be taken back and assigned anew.
create or replace function deposits.reference_of(tx_id text, log_index integer, assignment bigint) returns text
language sql immutable
return 'usdt:' || tx_id || ':' || log_index::text || coalesce(':' || assignment::text, '');

-- Whether a transfer in a block of this time was meant for the member who has its address: before he got it, it can have
-- been another's. The clocks of the chain and of the database may differ by ten minutes.
create or replace function deposits.is_owners(block_at timestamptz, given_at timestamptz) returns boolean
language sql immutable
return block_at >= given_at - interval '10 minutes';

-- A member's address, if the jobs derived the same one from the account key for its index: whoever took over the API could
-- have stored any other.
create or replace view deposits.member_address as
select player_id, address, given_at
from deposits.address join deposits.spare_address using (derivation_index, address);

-- The next derivation index, given to a player now, or his present one.
create or replace function deposits.take_index(of_player integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into deposits.address (player_id) values (of_player) on conflict (player_id) do nothing;
  return (select derivation_index from deposits.address where player_id = of_player);
end
$$;

-- Stores the address of a player's index, once: of two at once the trigger refuses another than the first.
create or replace function deposits.put_address(of_player integer, derived text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update deposits.address set address = derived where player_id = of_player;
end;

-- Begins to watch a chain after a block; without one the chain is awaited: from now on it is late while none is read.
-- Changes nothing if a block is known already.
create or replace function deposits.begin_watching(chain_name text, after bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  with begun as (
    insert into deposits.watcher_height as height (chain, block) values (chain_name, after)
    on conflict (chain) do update set block = excluded.block, moved_at = excluded.moved_at
    where height.block is null and excluded.block is not null
    returning chain, block
  )
  insert into deposits.rescan_height (chain, begun_after, block)
  select chain, block, block from begun where block is not null on conflict do nothing;
end;

-- Whether an address is one that the house gives or may give to a member: what comes from it is the house's own money.
create or replace function deposits.is_ours(some_address text) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from deposits.spare_address where address = some_address);

-- Records the transfers of a block, credits those to the address that a member had then, or holds them, and moves the
-- watcher's position: all or nothing. A transfer from an address of ours is unmatched. One that is recorded already is
-- not changed. `again`: the block was taken before, without a transfer that a node hid. Returns the credited and held
-- ones.
create or replace function deposits.take_block(chain_name text, block_number bigint, block_at timestamptz,
  transfers jsonb, on_day date, again boolean default false)
returns table (player_id integer, amount bigint, tx_id text, held boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  height bigint;
begin
  select block into height from deposits.watcher_height where chain = chain_name for update;
  if height is distinct from block_number - 1 and (again and block_number <= height) is not true then
    raise exception 'block % was offered, but the height is %', block_number, height;
  end if;

  return query
  with arrived as (
    insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
      player_id, credited_at)
    select received.tx_id, received.log_index, block_number, take_block.block_at, received.from_address,
      received.to_address, received.amount, address.player_id,
      case when address.player_id is not null then app.now() end
    from jsonb_to_recordset(transfers) as received (tx_id text, log_index integer, from_address text,
        to_address text, amount bigint)
      left join deposits.member_address address on address.address = received.to_address
        and deposits.is_owners(take_block.block_at, given_at)
        and not deposits.is_ours(received.from_address)
    where received.amount > 0
    order by received.tx_id, received.log_index
    on conflict do nothing
    returning *
  ),
  credited as (
    select reference from protection.credit_deposits(array(
      select row(arrived.player_id, on_day, arrived.amount,
        deposits.reference_of(arrived.tx_id, arrived.log_index, null))::wallet.movement
      from arrived where arrived.player_id is not null
      order by arrived.player_id, arrived.tx_id, arrived.log_index),
      array(select arrived.from_address from arrived where arrived.player_id is not null
        order by arrived.player_id, arrived.tx_id, arrived.log_index))
  )
  select arrived.player_id, arrived.amount, arrived.tx_id, credited.reference is null
  from arrived
    left join credited on credited.reference = deposits.reference_of(arrived.tx_id, arrived.log_index, null)
  where arrived.player_id is not null;

  update deposits.watcher_height set block = block_number, moved_at = app.now()
  where chain = chain_name and block < block_number;
end
$$;

-- Stores the transfers seen in the blocks from `looked_from` to `looked_to` that go to members' addresses, and not from
-- one of ours. Deletes stored transfers that are not in these blocks any more, and those in blocks up to `height`,
-- which are credited. Blocks up to `solid_height` cannot be replaced.
create or replace function deposits.note_seen(chain_name text, height bigint, looked_from bigint,
  looked_to bigint, solid_height bigint, transfers jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from deposits.seen_transfer gone
  where chain = chain_name and (block <= height or block between looked_from and looked_to
    and not exists (select from jsonb_to_recordset(transfers)
        as sighting (tx_id text, log_index integer, to_address text, amount bigint)
      where (sighting.tx_id, sighting.log_index, sighting.to_address, sighting.amount)
        = (gone.tx_id, gone.log_index, gone.to_address, gone.amount)));
  insert into deposits.seen_transfer (chain, tx_id, log_index, to_address, amount, block, block_at, solid)
  -- While one block replaces another, a transfer can be in two blocks that were read.
  select distinct on (sighting.tx_id, sighting.log_index) chain_name, sighting.tx_id, sighting.log_index,
    sighting.to_address, sighting.amount, sighting.block, sighting.block_at, false
  from jsonb_to_recordset(transfers) as sighting (tx_id text, log_index integer, from_address text, to_address text,
      amount bigint, block bigint, block_at timestamptz)
    join deposits.member_address address on address.address = sighting.to_address
  where sighting.block > height and sighting.amount > 0
    and not deposits.is_ours(sighting.from_address)
  order by sighting.tx_id, sighting.log_index, sighting.block desc
  on conflict (chain, tx_id, log_index) do update
    set to_address = excluded.to_address, amount = excluded.amount, block = excluded.block,
      block_at = excluded.block_at, solid = false;
  update deposits.seen_transfer set solid = true
  where chain = chain_name and not solid and block <= solid_height;
  update deposits.watcher_height
  set seen_block = greatest(seen_block, looked_to), solid_block = greatest(solid_block, solid_height)
  where chain = chain_name;
end;

-- A member's address never changes: with another one his money would go elsewhere.
create or replace trigger address_given_once before update on deposits.address
  for each row when (old.address is not null and new.address is distinct from old.address)
  execute function app.refuse_change();

-- Deposits that one member of staff records from the bank's statement and another confirms, or two others.
create or replace view deposits.bank_deposit as
select id, player_id, (content ->> 'amount')::bigint as amount, content ->> 'reference' as bank_reference, state,
  proposed_at as recorded_at, confirmed_at
from staff.proposal where kind = 'bank_deposit';

-- What persons booked as a deposit of a player: by bank, or a transfer that they assigned to him.
create or replace view deposits.by_persons as
select id, kind, player_id, subject, (content ->> 'amount')::bigint as amount, confirmed_at,
  case kind when 'bank_deposit' then 'bank:' || id else 'usdt:' || substr(subject, 10) || ':' || id end as reference
from staff.proposal where kind in ('bank_deposit', 'assignment') and state = 'confirmed';

-- The corrections that take one of these back, if they are confirmed; of a bank deposit also a part.
create or replace view deposits.taking_back as
select id, player_id, (content ->> 'deposit')::bigint as deposit, (content ->> 'amount')::bigint as amount, subject,
  state, confirmed_at
from staff.proposal where kind = 'debit' and content ? 'deposit';

-- What was taken back of a deposit, by the reference of its booking, in micro-units.
create or replace function deposits.taken_back(of_reference text) returns bigint
language sql stable set search_path = pg_catalog, pg_temp
return (select coalesce(sum(amount), 0)::bigint from deposits.taking_back
  where state = 'confirmed' and deposit = app.number_in(
    split_part(of_reference, ':', case when of_reference like 'bank:%' then 2 else 4 end)));

-- Whether a bank deposit has a reference in its stored form, and an amount. A transaction on the
-- chain is no reference of a bank: it is credited by the watcher or by an assignment.
create or replace function deposits.check_bank_deposit(content jsonb) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reference constant text := content ->> 'reference';
begin
  if ((content ->> 'amount')::bigint > 0) is not true then
    raise exception 'a bank deposit has an amount above zero' using errcode = 'check_violation';
  end if;
  -- A transaction's id, with any text around it.
  if regexp_replace(reference, '\s', '', 'g') ~* '[0-9a-f]{64}' then
    raise exception 'a transaction is no reference of a bank' using errcode = 'check_violation';
  end if;
  if app.is_plain_reference(reference) is not true then
    raise exception 'the reference of a bank is printable ASCII' using errcode = 'check_violation';
  end if;
end
$$;

-- Whether two persons are too few to confirm a bank deposit: with what the player was credited by hand within 24
-- hours, by bank or as an adjustment, it is above the limit of adjustments of the role of one of them. The caller has
-- locked the balance, so of two simultaneous confirmations the second sees the first.
create or replace function deposits.needs_third_person(proposed staff.proposal, of_role text) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return ((proposed).content ->> 'amount')::bigint
  + coalesce((select sum((content ->> 'amount')::bigint) from staff.proposal
      where player_id = (proposed).player_id and kind in ('bank_deposit', 'bonus', 'credit') and state = 'confirmed'
        and confirmed_at > app.now() - interval '24 hours'), 0)
  > (select min(coalesce(amount_max, 0))
     from (select of_role union all select role from staff.member where id = (proposed).proposed_by) person (role)
       left join wallet.adjustment_limit using (role));

-- Why a bank deposit may not be recorded or confirmed: reference_used, or 'first' if a third person has to confirm it
-- too; or null. Its content is {player_id, amount, reference, other_than}. If others have its reference,
-- `other_than` is the latest of them, and the confirming person names that one again: both have compared the two. So of
-- two people who record one transfer, the second finds another one there.
create or replace function deposits.judge_bank_deposit(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  key constant text := app.reference_key(proposed.content ->> 'reference');
  other constant text := proposed.content ->> 'other_than';
begin
  if proposed.id is null then
    perform deposits.check_bank_deposit(proposed.content);
    perform pg_advisory_xact_lock(hashtext('bank deposit ' || key));
    if other is distinct from (select max(id)::text from staff.proposal
      where kind = 'bank_deposit' and app.reference_key(content ->> 'reference') = key and state in ('proposed', 'confirmed'))
    then
      return 'reference_used';
    end if;
    return null;
  end if;
  if proposed.confirmed_with is distinct from other then return 'reference_used'; end if;
  perform from ledger.balance where holder_id = proposed.player_id for no key update;
  if deposits.needs_third_person(proposed, of_role) then return 'first'; end if;
  return null;
end
$$;

-- Credits a bank deposit.
create or replace function deposits.credit_bank_deposit(confirmed staff.proposal) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform protection.credit_deposits(array[row(confirmed.player_id, protection.day_of(app.now()),
    (confirmed.content ->> 'amount')::bigint, 'bank:' || confirmed.id)::wallet.movement], array[null]);
end
$$;

-- For each transfer on the chain in the blocks above after_block up to last_block, and for each recorded in them: the
-- chain's data, the record, the booking, and the member who had the address when it was recorded to come.
create or replace function deposits.compared_transfers(transfers jsonb, after_block bigint, last_block bigint)
returns table (tx_id text, log_index integer, block bigint, chain_amount bigint, recorded_amount bigint,
  booked_amount numeric, owner_id integer, player_id integer, is_dismissed boolean, is_on_chain boolean,
  is_recorded boolean)
language sql stable
begin atomic
  with on_chain as (
    select received.*, address.player_id as owner_id, given_at
    from jsonb_to_recordset(transfers) as received (tx_id text, log_index integer, block bigint,
        to_address text, amount bigint)
      left join deposits.member_address address on address.address = received.to_address
    where exists (select from deposits.spare_address spare where spare.address = received.to_address)
  ),
  recorded as (
    select transfer.* from deposits.transfer where block > after_block and block <= last_block
    union
    select transfer.* from on_chain join deposits.transfer using (tx_id, log_index)
  )
  select coalesce(on_chain.tx_id, recorded.tx_id) as tx_id,
    coalesce(on_chain.log_index, recorded.log_index) as log_index,
    coalesce(on_chain.block, recorded.block) as block,
    on_chain.amount as chain_amount, recorded.amount as recorded_amount, booked.amount as booked_amount,
    had.owner_id, recorded.player_id, dismissal.tx_id is not null as is_dismissed,
    on_chain.tx_id is not null as is_on_chain, recorded.tx_id is not null as is_recorded
  from on_chain full join recorded
      on recorded.tx_id = on_chain.tx_id and recorded.log_index = on_chain.log_index
        and recorded.to_address = on_chain.to_address
    cross join lateral (select case when coalesce(deposits.is_owners(recorded.block_at, on_chain.given_at), true)
      and not coalesce(deposits.is_ours(recorded.from_address), false) then on_chain.owner_id end as owner_id) had
    left join deposits.dismissal on dismissal.tx_id = recorded.tx_id and dismissal.log_index = recorded.log_index
    left join deposits.by_persons assigned on assigned.id = recorded.assignment and kind = 'assignment'
      and subject = deposits.subject_of(recorded.tx_id, recorded.log_index)
    left join lateral (
      select sum(posting.amount) as amount from ledger.posting
      where posting.holder_id = coalesce(assigned.player_id, had.owner_id, recorded.player_id)
        and posting.kind in ('deposit', 'deposit_held')
        and posting.reference = deposits.reference_of(coalesce(on_chain.tx_id, recorded.tx_id),
          coalesce(on_chain.log_index, recorded.log_index), assigned.id)
    ) booked on true;
end;

-- Compares the chain's transfers in the blocks above after_block up to last_block with the records and bookings. The
-- transfer must belong to the member who had the address when it came, or to the one to whom it was assigned. A
-- transfer that was unmatched then stays unmatched. A dismissed one is no difference.
create or replace function deposits.compare_with_chain(transfers jsonb, after_block bigint, last_block bigint)
returns table (kind text, tx_id text, log_index integer, details jsonb)
language sql stable
begin atomic
  select judged.kind, judged.tx_id, judged.log_index,
    jsonb_strip_nulls(jsonb_build_object('block', block, 'player_id', coalesce(player_id, owner_id),
      'chain_amount', chain_amount::text, 'recorded_amount', recorded_amount::text,
      'booked_amount', booked_amount::text))
  from (
    select compared.*, case
      when not is_on_chain then 'missing_on_chain'
      when not is_recorded then 'missing_in_ledger'
      when chain_amount <> recorded_amount then 'amount_differs'
      when player_id is null then case when not is_dismissed then 'unmatched' end
      when booked_amount is null then 'missing_in_ledger'
      when booked_amount <> chain_amount then 'amount_differs'
    end as kind
    from deposits.compared_transfers(transfers, after_block, last_block) compared
  ) judged
  where judged.kind is not null;
end;

-- Deposits booked as USDT since a day for which no transfer of that player was recorded, which were not taken back, and
-- which no comparison has reported yet.
create or replace function deposits.stray_deposits(since date)
returns table (tx_id text, log_index integer, details jsonb)
language sql stable
begin atomic
  select split_part(reference, ':', 2), split_part(reference, ':', 3)::integer,
    jsonb_build_object('player_id', holder_id, 'booked_amount', amount::text)
  from ledger.posting
  where kind in ('deposit', 'deposit_held') and booked_on >= since
    and reference ~ '^usdt:[0-9a-f]{64}:[0-9]+(:[0-9]+)?$'
    and not exists (select from deposits.transfer
      where transfer.player_id = holder_id
        and reference = deposits.reference_of(transfer.tx_id, transfer.log_index, assignment))
    and not exists (select from deposits.by_persons assigned
      where assigned.id = app.number_in(split_part(posting.reference, ':', 4)) and assigned.player_id = holder_id
        and assigned.reference = posting.reference and deposits.taken_back(posting.reference) = posting.amount)
    and not exists (select from deposits.chain_difference difference
      where difference.tx_id = split_part(reference, ':', 2)
        and difference.log_index = split_part(reference, ':', 3)::integer);
end;

-- Locks the bank account, and says why it may not be changed as proposed. Readers do not wait.
create or replace function deposits.judge_bank_account(proposal staff.proposal, by_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if by_role <> 'owner' then return 'forbidden'; end if;
  lock table deposits.bank_account in share row exclusive mode;
  if proposal.content -> 'before' is distinct from coalesce((select jsonb_build_object('bankName', bank_name,
      'holder', holder, 'number', number) from deposits.bank_account), 'null')
    or not proposal.content ? 'after'
  then
    return 'content_changed';
  end if;
  return null;
end
$$;

-- Shows players another bank account, or none.
create or replace function deposits.put_bank_account(proposal staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  delete from deposits.bank_account;
  insert into deposits.bank_account (bank_name, holder, number)
  select after ->> 'bankName', after ->> 'holder', after ->> 'number'
  from (select proposal.content -> 'after') content (after) where after <> 'null';
end;

create or replace trigger dismissal_never_changes before update on deposits.dismissal
  for each row execute function app.refuse_change();
select app.refuse('delete', 'deposits.transfer');

-- A recorded transfer never changes, except that an unmatched one is credited to the player to whom it was
-- assigned and confirmed, and is unmatched again once it was taken back from him.
create or replace function deposits.guard_transfer() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (new.tx_id, new.log_index, new.block, new.block_at, new.from_address, new.to_address, new.amount)
      is distinct from
       (old.tx_id, old.log_index, old.block, old.block_at, old.from_address, old.to_address, old.amount)
    or not (case when old.player_id is null
      then old.credited_at is null and new.credited_at is not null and exists (select from deposits.by_persons assigned
        where assigned.id = new.assignment and assigned.player_id = new.player_id and kind = 'assignment'
          and subject = deposits.subject_of(new.tx_id, new.log_index))
      else num_nulls(new.player_id, new.credited_at, new.assignment) = 3
        and deposits.taken_back(deposits.reference_of(old.tx_id, old.log_index, old.assignment)) = old.amount end)
  then
    raise exception 'transfer %:% stays as it came', old.tx_id, old.log_index
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create or replace trigger transfer_guarded before update on deposits.transfer
  for each row execute function deposits.guard_transfer();

-- Why it may not be proposed or confirmed to whom a transfer belongs: not_found (also of one from an address of ours, which
-- is the house's), decided (it is credited, or dismissed); or null. Its content is {player_id, amount}. Locks the transfer.
create or replace function deposits.judge_assignment(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  transfer deposits.transfer;
begin
  select * into transfer from deposits.transfer
  where tx_id = split_part(proposed.subject, ':', 2) and deposits.subject_of(tx_id, log_index) = proposed.subject
  for update;
  if transfer.tx_id is null or deposits.is_ours(transfer.from_address) then return 'not_found'; end if;
  if transfer.player_id is not null or exists (select from deposits.dismissal
    where dismissal.tx_id = transfer.tx_id and dismissal.log_index = transfer.log_index)
  then
    return 'decided';
  end if;
  if proposed.player_id is null or (proposed.content ->> 'amount')::bigint is distinct from transfer.amount then
    raise exception 'an assignment names a player and the amount of its transfer' using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- Credits a transfer as if it had matched.
create or replace function deposits.credit_assignment(confirmed staff.proposal) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  transfer deposits.transfer;
begin
  update deposits.transfer set player_id = confirmed.player_id, credited_at = app.now(), assignment = confirmed.id
  where tx_id = split_part(confirmed.subject, ':', 2) and deposits.subject_of(tx_id, log_index) = confirmed.subject
  returning * into strict transfer;
  perform protection.credit_deposits(array[row(transfer.player_id, protection.day_of(app.now()), transfer.amount,
    deposits.reference_of(transfer.tx_id, transfer.log_index, confirmed.id))::wallet.movement],
    array[transfer.from_address]);
end
$$;

-- Dismisses a transfer that belongs to no player; an open proposal is ended with it. Returns 'dismissed' with the
-- number of that proposal, or null if there was none; or not_found or decided.
create or replace function deposits.dismiss_transfer(of_tx text, of_log integer, by_session text, why text)
returns table (answer text, ended bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  locked_transfer deposits.transfer;
begin
  select * into locked_transfer from deposits.transfer where tx_id = of_tx and log_index = of_log for update;
  if locked_transfer.tx_id is null then
    answer := 'not_found';
  elsif locked_transfer.player_id is not null then
    answer := 'decided';
  else
    insert into deposits.dismissal (tx_id, log_index, reason, dismissed_by, dismissed_at)
    values (of_tx, of_log, why, by_staff, app.now()) on conflict do nothing;
    answer := case when found then 'dismissed' else 'decided' end;
  end if;
  if answer = 'dismissed' then
    ended := (select id from staff.proposal
      where kind = 'assignment' and subject = deposits.subject_of(of_tx, of_log) and state = 'proposed');
    if ended is not null then perform staff.decide(ended, false, why, by_session); end if;
  end if;
  return next;
end
$$;

-- Withdraws a dismissal. Answers 'waiting', not_found or not_dismissed.
create or replace function deposits.reopen_transfer(of_tx text, of_log integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance');
  perform from deposits.transfer where tx_id = of_tx and log_index = of_log for update;
  if not found then return 'not_found'; end if;
  delete from deposits.dismissal where tx_id = of_tx and log_index = of_log;
  if not found then return 'not_dismissed'; end if;
  return 'waiting';
end
$$;

-- Keeps why a difference of chain and ledger needs nothing more. Answers 'explained', not_found (also as
-- may_be_explained says), decided or same_person (he may have sent the refund that left later than it may).
create or replace function deposits.explain_difference(of_difference bigint, by_session text, why text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
begin
  if not exists (select from deposits.chain_difference difference where id = of_difference
    and deposits.may_be_explained(difference))
  then
    return 'not_found';
  end if;
  if exists (select from deposits.chain_difference difference
    join protection.held_deposit deposit on deposit.id = (details ->> 'held_deposit')::bigint
    where difference.id = of_difference and kind = 'sent_later'
      and by_staff in (deposit.decided_by, deposit.refund_corrected_by))
  then
    return 'same_person';
  end if;
  insert into deposits.explanation (difference_id, reason, explained_by, explained_at)
  values (of_difference, why, by_staff, app.now()) on conflict do nothing;
  return case when found then 'explained' else 'decided' end;
end
$$;

-- Whether a transfer is on the chain and nowhere in the books.
create or replace function deposits.is_nowhere(difference deposits.chain_difference) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp
return difference.kind = 'missing_in_ledger'
  and coalesce(difference.details -> 'recorded_amount', difference.details -> 'booked_amount') is null;

-- Whether staff may explain a difference. A transfer that is on the chain and not in the books is credited or dismissed
-- instead; but one that a single node still names on the next day may be an error of that node.
create or replace function deposits.may_be_explained(difference deposits.chain_difference) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp
return difference.kind <> 'unmatched' and (not deposits.is_nowhere(difference)
  or coalesce(difference.absent_at >= difference.found_at + interval '20 hours', false));

-- Transfers to an address of ours that had no member at the time, or from one, with their state.
create or replace view deposits.unmatched_transfer as
select transfer.tx_id, transfer.log_index, block, block_at, from_address, to_address, amount,
  case when dismissed_at is not null then 'dismissed' else coalesce(proposal.state, 'waiting') end as state,
  proposal.id as proposal_id, proposal.player_id, coalesce(dismissal.reason, proposal.reason) as reason,
  proposed_by, coalesce(dismissed_by, confirmed_by) as decided_by
from deposits.transfer
  left join deposits.dismissal using (tx_id, log_index)
  left join staff.proposal on kind = 'assignment' and state = 'proposed'
    and subject = deposits.subject_of(transfer.tx_id, transfer.log_index)
where transfer.player_id is null
union all
select split_part(subject, ':', 2), log_index, block, block_at, from_address, to_address, amount, 'assigned', proposal.id,
  proposal.player_id, reason, proposed_by, confirmed_by
from staff.proposal
  -- Each by its key: they are few among all transfers, which a join would read.
  cross join lateral (select transfer.* from deposits.transfer
    where tx_id = split_part(subject, ':', 2) and assignment = proposal.id offset 0) transfer
where kind = 'assignment' and state = 'confirmed';

grant select on sequence deposits.address_derivation_index_seq to sum28_jobs;
grant select on deposits.address, deposits.bank_account, deposits.bank_deposit, deposits.by_persons,
  deposits.chain_difference, deposits.dismissal, deposits.explanation, deposits.house_address, deposits.member_address,
  deposits.rescan_height, deposits.seen_transfer, deposits.spare_address, deposits.taking_back, deposits.transfer,
  deposits.unmatched_transfer, deposits.watcher_height to sum28_api, sum28_jobs;
grant insert on deposits.chain_difference, deposits.rescan_height, deposits.spare_address to sum28_jobs;
grant update on deposits.rescan_height to sum28_jobs;
grant update (absent_at) on deposits.chain_difference to sum28_jobs;
grant execute on function deposits.dismiss_transfer, deposits.explain_difference, deposits.may_be_explained,
  deposits.put_address, deposits.reopen_transfer, deposits.take_index to sum28_api;
grant execute on function deposits.is_nowhere, deposits.is_ours, deposits.reference_of, deposits.subject_of,
  deposits.taken_back to sum28_api, sum28_jobs;
grant execute on function deposits.begin_watching, deposits.compare_with_chain, deposits.compared_transfers,
  deposits.is_owners, deposits.note_seen, deposits.stray_deposits, deposits.take_block to sum28_jobs;
