-- Distributes the other tables whose every key has the player in it: after distribute.sql, on a database to try things
-- on. Citus distributes them, but our functions do not work with them afterwards: no amount can be posted.
-- docs/scaling.md has the first statement of each that stops, with Citus' message.

begin;
set local citus.multi_shard_modify_mode = 'sequential';
set local citus.enable_unsafe_triggers = on;
set local client_min_messages = error;

-- From a shard to the coordinator.
alter table accounts.known_network drop constraint known_network_player_id_fkey;
alter table accounts.security_code drop constraint security_code_player_id_fkey;
alter table bets.bet drop constraint bet_game_id_issue_fkey, drop constraint bet_player_id_fkey;
alter table inbox.message drop constraint message_player_id_fkey;

select create_distributed_table('ledger.balance', 'holder_id', colocate_with => 'accounts.document');
select create_distributed_table('ledger.posting', 'holder_id', colocate_with => 'accounts.document');
select create_distributed_table('wallet.idempotency_key', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('bets.bet', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('bets.room_stake', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('protection.player', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('protection.player_limit', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('protection.mark', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('inbox.message', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('protection.change', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('accounts.known_network', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('accounts.security_code', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('console_players.night', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('console_start.player_figure', 'player_id', colocate_with => 'accounts.document');

-- The room of a bet is on every node, so that a shard can check it. In a block of its own, for Citus reads the text of
-- such a statement again, which may be one of many in what a client has sent.
do $$
begin
  alter table bets.bet add constraint bet_room_id_fkey foreign key (room_id) references games.room (id);
end
$$;

-- Functions of one player that touch nothing but his rows run whole on his node, locks included. Before them those
-- that they call: Citus makes a function over a row on other nodes only once its table is there.
select create_distributed_function('protection.in_session(protection.player, timestamptz)');
select create_distributed_function('protection.check_due_at(protection.player, timestamptz)');
select create_distributed_function('protection.session_facts(protection.player, timestamptz)');
select create_distributed_function('protection.lock_player(integer)');
select create_distributed_function('protection.acknowledge_check(integer)', 'of_player',
  colocate_with => 'accounts.document');
select create_distributed_function('protection.set_check(integer, interval)', 'of_player',
  colocate_with => 'accounts.document');
select create_distributed_function('protection.set_limit(integer, text, text, bigint)', 'of_player',
  colocate_with => 'accounts.document');

commit;
