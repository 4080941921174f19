-- The one clock of the product. It is made before the tables, because their defaults use it.

create schema if not exists app;

-- No other SQL reads the time.
create or replace function app.now() returns timestamptz
language sql volatile
return clock_timestamp();
