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

-- The key of a bank's or a payout's reference: two references with one key are the same, however they are typed. The
-- application computes it too, and the tables check that both agree.
create or replace function app.reference_key(reference text) returns text
language sql immutable
return upper(replace(normalize(reference, nfkc), ' ', ''));

-- The number that a text contains; null if it is no number.
create or replace function app.number_in(typed text) returns bigint
language sql immutable
return case when typed ~ '^[0-9]{1,18}$' then typed::bigint end;

-- Whether a reference has the stored form: printable ASCII, without a blank at either end.
create or replace function app.is_plain_reference(reference text) returns boolean
language sql immutable
return reference ~ '^[!-~]([ -~]*[!-~])?$';

-- The months, starting from a day, for which a table has no partition yet. A month with rows in the default partition
-- is left out.
create or replace function app.missing_partitions(from_day date, months integer)
returns table (parent text, month date)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  strays boolean;
begin
  for parent, month in
    select name::text, day::date
    from app.monthly_table, generate_series(date_trunc('month', from_day),
      date_trunc('month', from_day) + make_interval(months => months), interval '1 month') day
    where not exists (select from pg_inherits
      where inhparent = name and inhrelid = to_regclass(app.partition_name(name::text, day::date)))
    order by day, name::text
  loop
    execute format('select exists (select from %s_default where booked_on >= %L and booked_on < %L)',
      parent, month, month + interval '1 month') into strays;
    if not strays then return next; end if;
  end loop;
end
$$;

create or replace function app.partition_name(parent text, month date) returns text
language sql immutable
return parent || '_' || to_char(month, 'YYYY_MM');

-- Makes the table of a month, with a constraint on its dates, without attaching it: this blocks no other transaction.
create or replace function app.prepare_partition(parent text, month date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  partition constant text := app.partition_name(parent, month);
begin
  -- Before the check, so that a table that another process has just made is seen.
  perform pg_advisory_xact_lock(hashtext('app.prepare_partition'));
  perform from app.monthly_table where name = to_regclass(parent);
  if not found then raise exception '% is split by no month', parent; end if;
  if to_regclass(partition) is not null then return; end if;
  execute format('create table %s (like %s including all)', partition, parent);
  execute format('alter table %s add constraint of_the_month check (booked_on >= %L and booked_on < %L)',
    partition, month, (month + interval '1 month')::date);
end
$$;

-- Attaches the table of a month. For a moment no transaction can write to the default partition and to the tables
-- that its rows refer to (balances, for postings), and other transactions queue behind this one. So it gives up after
-- a short wait that players do not notice, and the caller tries again. False if another process has attached it.
create or replace function app.attach_partition(parent text, month date) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  partition constant text := app.partition_name(parent, month);
begin
  perform pg_advisory_xact_lock(hashtext('app.attach_partition'));
  perform from pg_inherits where inhparent = to_regclass(parent) and inhrelid = to_regclass(partition);
  if found then return false; end if;
  perform from app.monthly_table where name = to_regclass(parent);
  if not found then raise exception '% is split by no month', parent; end if;
  execute format('alter table %s attach partition %s for values from (%L) to (%L)',
    parent, partition, month, (month + interval '1 month')::date);
  execute format('alter table %s drop constraint of_the_month', partition);
  return true;
end
$$;

-- Makes and attaches all missing partitions, for a database that is not in use yet.
create or replace function app.ensure_partitions(from_day date, months integer) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  missing record;
  made integer := 0;
begin
  for missing in select * from app.missing_partitions(from_day, months) loop
    perform app.prepare_partition(missing.parent, missing.month);
    if app.attach_partition(missing.parent, missing.month) then made := made + 1; end if;
  end loop;
  return made;
end
$$;

-- Adds the calls of one process to the common counters. Returns for each counter its total and its end, which the
-- first process set. left_each: how long a new counter counts, in milliseconds. Expired counters are deleted, a
-- limited number at a time.
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
    order by old.counter limit 1000 for update skip locked);
  return query
  insert into app.call_count as kept (counter, ends_at, calls)
  select given.counter, now_at + make_interval(secs => given.left_ms / 1000.0), given.calls
  from unnest(counters, calls_each, left_each) as given (counter, calls, left_ms)
  -- In one order, so that two processes do not wait for each other.
  order by given.counter
  on conflict (counter) do update set
    calls = case when kept.ends_at <= now_at then 0 else kept.calls end + excluded.calls,
    ends_at = case when kept.ends_at <= now_at then excluded.ends_at else kept.ends_at end
  returning kept.counter, kept.calls, kept.ends_at;
end
$$;

-- What the application may do.
grant usage on schema app to sum28_application;
grant delete, insert, select, update on app.request_key, app.sent_mail to sum28_application;
grant delete, insert, select on app.captured_mail to sum28_application;
grant select, update on app.books_checked to sum28_application;
grant execute on function app.attach_partition, app.count_calls, app.missing_partitions, app.prepare_partition
  to sum28_application;
grant execute on function app.now, app.number_in, app.reference_key to sum28_application;
