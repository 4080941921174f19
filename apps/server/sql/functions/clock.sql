-- The one clock of the product, and the parts of a text. They are made before the tables, because defaults and an index
-- use them.

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
