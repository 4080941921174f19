-- Objects that all schemas use.

-- For tables whose rows are history.
create or replace function app.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% of %.% is refused: its rows are history and never change',
    tg_op, tg_table_schema, tg_table_name
    using errcode = 'restrict_violation';
end
$$;

-- Has tables refuse what would change their history, such as 'update or delete', for each row; and to be emptied.
create or replace function app.refuse(event text, variadic tables text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  refusing text;
begin
  foreach refusing in array tables loop
    execute format('create or replace trigger %I before %s on %s for each row execute function app.refuse_change()',
      split_part(refusing, '.', 2) || case when event like 'update%' then '_never_changes' else '_never_deleted' end,
      event, refusing);
    execute format('create or replace trigger %I before truncate on %s execute function app.refuse_change()',
      split_part(refusing, '.', 2) || '_never_truncated', refusing);
  end loop;
end
$$;

-- The key of a bank's or a payout's reference: two references with one key are the same, however they are typed. Indexes
-- of deposits have its text.
create or replace function app.reference_key(reference text) returns text
language sql immutable
return upper(replace(normalize(reference, nfkc), ' ', ''));

-- The number that a text contains; null if it is no number.
create or replace function app.number_in(typed text) returns bigint
language sql immutable
return case when typed ~ '^[0-9]{1,18}$' then typed::bigint end;

-- The wire's form of an amount in micro-units: in u, with two to six decimals.
create or replace function app.amount_text(amount numeric) returns text
language sql immutable
return regexp_replace((amount / 1000000)::numeric(20, 6)::text, '0{1,4}$', '');

-- Whether a reference has the stored form: printable ASCII, without a blank at either end.
create or replace function app.is_plain_reference(reference text) returns boolean
language sql immutable
return reference ~ '^[!-~]([ -~]*[!-~])?$';

-- Adds the calls of one process to the common counters. Returns for each counter its total and its end, which the
-- first process set. left_each: how long each counts on there, in milliseconds. Expired counters are deleted, those
-- that ended first, a limited number at a time: in the order of an index, so that the statement never walks the table.
create or replace function app.count_calls(counters bytea[], calls_each integer[], left_each integer[])
returns table (counter bytea, calls integer, ends_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  now_at constant timestamptz := app.now();
begin
  delete from app.call_count over_now where over_now.counter in (
    select old.counter from app.call_count old
    where old.ends_at <= now_at and old.counter <> all (counters)
    order by old.ends_at limit 1000 for update skip locked);
  return query
  insert into app.call_count as counted (counter, ends_at, calls)
  select calls_of.counter, now_at + make_interval(secs => calls_of.left_ms / 1000.0), calls_of.calls
  from unnest(counters, calls_each, left_each) as calls_of (counter, calls, left_ms)
  -- In one order, so that two processes do not wait for each other.
  order by calls_of.counter
  on conflict (counter) do update set
    calls = case when counted.ends_at <= now_at then 0 else counted.calls end + excluded.calls,
    -- A clock that was ahead may have made a later end than any process still counts to; a process whose own count ends
    -- sooner shortens no minute of the others.
    ends_at = case when counted.ends_at <= now_at then excluded.ends_at
      else least(counted.ends_at, greatest(excluded.ends_at, now_at + interval '1 minute')) end
  returning counted.counter, counted.calls, counted.ends_at;
end
$$;

-- The schemas that each part of the product uses. What it may do there stands at the end of each file.
grant usage on schema app, bets, fairness, games, own_account, protection, public_log, rounds, wallet, withdrawals
  to sum28_application;
grant usage on schema accounts, console_content, console_money, console_players, console_start, content, deposits,
  disclosure, inbox, ledger, robots, staff to sum28_api, sum28_jobs;
grant usage on schema console_games to sum28_api;

grant select on app.setting to sum28_application;
grant delete, insert, select, update on app.request_key to sum28_api;
grant delete, select, update (created_at) on app.request_key to sum28_jobs;
grant delete, insert, select, update on app.sent_mail to sum28_jobs;
grant select on app.books_checked, app.captured_mail, app.sent_mail to sum28_api;
grant delete, insert, select on app.captured_mail to sum28_jobs;
grant select, update on app.local_chain to sum28_jobs;
grant insert, select on app.local_transaction to sum28_jobs;
grant insert, select, update on app.regular_job to sum28_jobs;
grant select, update on app.books_checked to sum28_jobs;
grant execute on function app.count_calls, app.now, app.parts_of to sum28_application;
grant execute on function app.reference_key to sum28_api;
grant execute on function app.number_in to sum28_api, sum28_jobs;
