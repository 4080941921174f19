-- The console's area reports: figures by day, game, room and player.

-- What each part of the product may do.
grant usage on schema console_reports to sum28_api;
