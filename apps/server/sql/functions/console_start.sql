-- The console's area start: what needs a person now, and the figures of the day.

-- What the application may do.
grant usage on schema console_start to sum28_application;
