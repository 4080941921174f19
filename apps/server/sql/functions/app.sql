-- What every schema leans on.

-- For tables whose rows are history.
create or replace function app.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% of %.% is refused: its rows are history and never change',
    tg_op, tg_table_schema, tg_table_name
    using errcode = 'restrict_violation';
end
$$;

-- Makes the partitions of some months ahead. Safe to call at any time and by several processes.
-- A month whose rows have gone into the default partition is left there.
create or replace function app.ensure_partitions(from_day date, months integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  parent regclass;
  month date;
  partition text;
  made integer := 0;
  strays boolean;
begin
  perform pg_advisory_xact_lock(hashtext('app.ensure_partitions'));
  for parent in select name from app.monthly_table order by name::text loop
    for month in
      select generate_series(
        date_trunc('month', from_day), date_trunc('month', from_day) + make_interval(months => months),
        interval '1 month')::date
    loop
      partition := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
      if to_regclass(partition) is not null then continue; end if;
      execute format(
        'select exists (select from %s_default where booked_on >= %L and booked_on < %L)',
        parent, month, month + interval '1 month') into strays;
      if strays then continue; end if;
      execute format('create table %s partition of %s for values from (%L) to (%L)',
        partition, parent, month, (month + interval '1 month')::date);
      made := made + 1;
    end loop;
  end loop;
  return made;
end
$$;

-- What the application may do.
revoke all on all tables in schema app from sum28_application;
revoke execute on all functions in schema app from public, sum28_application;
grant usage on schema app to sum28_application;
grant delete, insert, select on app.sent_mail to sum28_application;
grant delete, insert, select, update on app.request_key to sum28_application;
grant execute on function app.ensure_partitions to sum28_application;
grant execute on function app.now to sum28_application;
