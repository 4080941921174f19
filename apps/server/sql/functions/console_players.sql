-- The console's area players: search, one player's page, and what staff do about him.

-- What the application may do.
grant usage on schema console_players to sum28_application;
