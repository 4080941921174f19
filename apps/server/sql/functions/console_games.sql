-- The console's area games: rounds, rooms, odds.

-- What the application may do.
grant usage on schema console_games to sum28_application;
