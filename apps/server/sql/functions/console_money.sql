-- The console's area money: the trial balance, and what was deposited.

-- The debits (in) and credits (out) of each account, by kind, from a moment until before another.
create or replace function console_money.moved_between(since timestamptz, until timestamptz)
returns table (account text, kind text, debit numeric, credit numeric)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select named.account, posting.kind, sum(side.debit), sum(side.credit)
  from ledger.posting
  left join accounts.player on player.id = holder_id
  cross join lateral (values (source, 0, amount), (destination, amount, 0)) side (account, debit, credit)
  cross join lateral (select case when side.account in ('cash', 'held', 'house:game') and not accounts.is_person(player)
    then 'robots:' || side.account else side.account end as account) named
  where posted_at >= since and posted_at < until
  group by named.account, posting.kind;
end;

-- The trial balance before a moment: the last snapshot before it, and the postings since. The debits of all accounts
-- equal their credits.
create or replace function console_money.trial_balance(until timestamptz)
returns table (account text, kind text, debit numeric, credit numeric)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with last_snapshot as (select max(at) as at from console_money.balance_snapshot where at <= until)
  select summed.account, summed.kind, sum(summed.debit), sum(summed.credit)
  from last_snapshot cross join lateral (
    select snapshot.account, snapshot.kind, snapshot.debit, snapshot.credit from console_money.balance_snapshot snapshot
    where snapshot.at = last_snapshot.at
    union all
    select moved.account, moved.kind, moved.debit, moved.credit
    from console_money.moved_between(coalesce(last_snapshot.at, '-infinity'), until) moved) summed
  group by summed.account, summed.kind;
end;

-- What chain and bank brought to players from a moment until before another, less what was taken back then.
create or replace function console_money.deposited_between(since timestamptz, until timestamptz,
  out by_chain numeric, out by_bank numeric)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  -- Assigned transfers by their assignments: what was taken back has none any more.
  with by_persons as (
    select kind, amount from deposits.by_persons where confirmed_at >= since and confirmed_at < until
    union all
    select kind, -back.amount from deposits.taking_back back join deposits.by_persons booked on booked.id = deposit
    where back.state = 'confirmed' and back.confirmed_at >= since and back.confirmed_at < until
  )
  select
    (select coalesce(sum(amount), 0) from deposits.transfer
      where credited_at >= since and credited_at < until and assignment is null)
      + (select coalesce(sum(amount), 0) from by_persons where kind = 'assignment'),
    (select coalesce(sum(amount), 0) from by_persons where kind = 'bank_deposit');
end;

-- The same of all before a moment: the last snapshot before it, and what came since.
create or replace function console_money.deposited_before(until timestamptz, out by_chain numeric, out by_bank numeric)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select coalesce(last.by_chain, 0) + later.by_chain, coalesce(last.by_bank, 0) + later.by_bank
  from (select max(at) as at from console_money.deposit_snapshot where at <= until) stored
  left join console_money.deposit_snapshot last on last.at = stored.at
  cross join lateral console_money.deposited_between(coalesce(stored.at, '-infinity'), until) later;
end;

-- Stores balances and deposits as a snapshot, of the next full hour after the last one: what came since is read by each
-- trial balance, and most days end with an hour. The last hour is left out, because its transactions may still be open.
-- Returns whether it stored one, and so may have more to do.
create or replace function console_money.snapshot_balances() returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  last constant timestamptz := (select max(at) from console_money.balance_snapshot);
  due timestamptz;
begin
  if not pg_try_advisory_xact_lock(hashtext('console_money.snapshot_balances')) then return false; end if;
  due := date_trunc('hour', coalesce(last, (select min(posted_at) from ledger.posting))) + interval '1 hour';
  if due > app.now() - interval '1 hour' then return false; end if;
  insert into console_money.balance_snapshot (at, account, kind, debit, credit)
  select due, account, kind, debit, credit from console_money.trial_balance(due);
  if not found then return false; end if;
  insert into console_money.deposit_snapshot (at, by_chain, by_bank)
  select due, by_chain, by_bank from console_money.deposited_before(due);
  return true;
end
$$;

grant select on console_money.balance_snapshot, console_money.bank_batch, console_money.bank_payment,
  console_money.deposit_snapshot to sum28_api, sum28_jobs;
grant execute on function console_money.deposited_before, console_money.trial_balance to sum28_api;
grant execute on function console_money.deposited_between, console_money.moved_between, console_money.snapshot_balances
  to sum28_jobs;
