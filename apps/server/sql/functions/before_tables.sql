-- What is made before the tables: the one clock of the product and the parts of a text, which defaults and an index use,
-- and what makes the tables of a year.

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

-- Makes the tables for what is booked in a year; until then the default ones have it. The journal's is vacuumed after so
-- many rows, and not after a fifth more: what is found by time is not read whole until then.
create or replace function app.add_year(year integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  days constant text := format('for values from (%L) to (%L)', make_date(year, 1, 1), make_date(year + 1, 1, 1));
begin
  execute format('create table ledger.posting_%s partition of ledger.posting %s
    with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000)', year, days);
  execute format('create table bets.bet_%s partition of bets.bet %s with (fillfactor = 50)', year, days);
  -- A key is a bet's in its year, whatever day it counts for; so the table as a whole cannot have this index.
  execute format('create unique index bet_%s_once on bets.bet_%s (player_id, client_key)', year, year);
end
$$;
