-- By which the console lists and finds players, and what belongs to one of them.

create index player_by_begin on accounts.player (created_at, id) where kind = 'person';
-- Names by their first letters, under any collation of the database.
create index player_by_name_begin on accounts.player (username_key text_pattern_ops) where kind = 'person';
create index session_of_player_by_begin on accounts.session (player_id, created_at);
create index bank_deposit_of_player on deposits.bank_deposit (player_id, id);
