-- The one clock of the product. It stands before the tables, whose defaults ask it.

create schema if not exists app;

-- Nothing else asks for the time in SQL.
create or replace function app.now() returns timestamptz
language sql volatile
return clock_timestamp();
