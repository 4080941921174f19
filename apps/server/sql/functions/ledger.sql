-- The double-entry ledger. It contains accounts and postings, and no players or games.

select app.refuse('update or delete', 'ledger.posting');
select app.refuse('delete or update of holder_id', 'ledger.balance');

-- A balance must be there, and be the one after the holder's last posting.
create or replace function ledger.check_balances_agree() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wrong integer;
begin
  select latest.holder_id into wrong
  from (
    select distinct on (holder_id) holder_id, id, cash_after, held_after
    from added order by holder_id, id desc
  ) latest
  -- The offset makes PostgreSQL look for each by the index, however many balances there are.
  left join lateral (
    select cash, held, last_posting from ledger.balance where balance.holder_id = latest.holder_id offset 0
  ) balance on true
  where (balance.cash, balance.held, balance.last_posting)
    is distinct from (latest.cash_after, latest.held_after, latest.id)
  limit 1;
  if wrong is not null then
    raise exception 'the balance of holder % does not agree with the journal', wrong
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

create or replace trigger posting_agrees_with_balance
  after insert on ledger.posting
  referencing new table as added
  for each statement execute function ledger.check_balances_agree();

-- Posts all of the requests or none, in their order. Balances are locked by holder id, so that two calls never cause
-- a deadlock. The time is read after the locks are held, so a holder's postings have the same order by time as by id.
-- Fails with a check violation if a balance would go below zero, and with posted_once if a cause was posted before.
create or replace function ledger.post(requests ledger.posting_request[]) returns setof ledger.posting
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz;
begin
  perform from ledger.balance
  where holder_id in (select request.holder_id from unnest(requests) request)
  order by holder_id
  for no key update;
  moment := app.now();

  return query
  with effect as (
    -- The scan gives the requests in their order, and so the ids ascend with them.
    select request.*, nextval('ledger.posting_id') as id,
      case 'cash' when destination then amount when source then -amount else 0 end as cash_change,
      case 'held' when destination then amount when source then -amount else 0 end as held_change
    from unnest(requests) with ordinality request
  ),
  running as (
    select effect.*,
      sum(cash_change) over so_far as cash_run,
      sum(held_change) over so_far as held_run
    from effect
    window so_far as (partition by holder_id order by ordinality)
  ),
  moved as (
    update ledger.balance
    set cash = cash + change.cash_change, held = held + change.held_change, last_posting = change.last_id
    from (
      select holder_id, sum(cash_change)::bigint as cash_change, sum(held_change)::bigint as held_change,
        max(id) as last_id
      from effect group by holder_id
    ) change
    where balance.holder_id = change.holder_id
    returning balance.holder_id,
      balance.cash - change.cash_change as cash_before,
      balance.held - change.held_change as held_before
  )
  insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination,
    amount, cash_after, held_after, reference)
  select running.holder_id, running.id, booked_on, moment, kind, source, destination,
    amount, (coalesce(cash_before, 0) + cash_run)::bigint, (coalesce(held_before, 0) + held_run)::bigint,
    reference
  from running
  left join moved using (holder_id)
  returning *;
end
$$;

-- The total of each account. The sum of all totals is always zero.
create or replace view ledger.account_total as
  select account, sum(change)::numeric as total
  from ledger.posting,
    lateral (values (source, -amount), (destination, amount)) side (account, change)
  group by account;

grant select on ledger.account_total, ledger.balance, ledger.posting to sum28_api, sum28_jobs;
