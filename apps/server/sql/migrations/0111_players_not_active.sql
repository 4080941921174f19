-- For the console's list of players: the few that are frozen or closed, newest first.

create index player_not_active on accounts.player (created_at, id) where state <> 'active';
