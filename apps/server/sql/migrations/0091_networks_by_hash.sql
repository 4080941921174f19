-- Who else signs in from a network is asked for each withdrawal that waits.

create index known_network_by_hash on accounts.known_network (network_hash, player_id);
