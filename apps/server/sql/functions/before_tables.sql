-- What is made before the tables: the one clock of the product and the parts of a text, which defaults and an index use,
-- and what makes the table of a year. A function here keeps its parameters and its result: it is replaced and not dropped.

-- Other SQL reads the time only where the machine's counts: to compare clocks, and of the queue and the archive.
create or replace function app.now() returns timestamptz
language sql volatile
return clock_timestamp();

-- All parts of a text that have three characters: an index of them finds the text by any part of it, and needs no
-- extension of PostgreSQL.
create or replace function app.parts_of(whole text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  parts text[] := '{}';
begin
  for at in 1 .. length(whole) - 2 loop
    parts[at] := substr(whole, at, 3);
  end loop;
  return parts;
end
$$;

-- Makes the table for what is booked in a year; until then the default one has it. `once`: columns that are unique in
-- each year, which they cannot be in the table as a whole.
create or replace function app.add_year(of_table text, year integer, options text, once text default null) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format('create table %1$s_%2$s partition of %1$s for values from (%3$L) to (%4$L) with (%5$s)',
    of_table, year, make_date(year, 1, 1), make_date(year + 1, 1, 1), options);
  if once is not null then
    execute format('create unique index %1$s_%2$s_once on %3$s_%2$s (%4$s)',
      split_part(of_table, '.', 2), year, of_table, once);
  end if;
end
$$;
