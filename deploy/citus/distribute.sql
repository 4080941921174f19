-- Distributes players' tables by player, for Citus: as far as the product works with it. Read by psql or sent as
-- one text, as the owner, once: on a migrated database with the extension and its nodes, without traffic.
--
-- deploy/citus/distribute-all.sql has the other tables that Citus can distribute by player, but with which our
-- functions do not work then, those of money among them. docs/scaling.md says what was tried, docs/decisions/0070 why.
-- apps/server/src/db/distribution.test.ts compares both files with the catalogue: each table stands in one place.

-- All or nothing, node by node: foreign keys to reference tables ask for it.
begin;
set local citus.multi_shard_modify_mode = 'sequential';
-- Triggers that look at their own row alone, or refuse, are the same on each shard.
set local citus.enable_unsafe_triggers = on;
set local client_min_messages = error;

-- 1. Functions in SQL whose body is parsed when they are made (“begin atomic”, “return”). PostgreSQL notes down which
-- tables and functions each needs; Citus reads it the wrong way round, takes the functions for needed by the tables,
-- and finds a circle. The same body as a text has no such notes.
do $$
declare
  made record;
begin
  set local search_path = pg_catalog, pg_temp;
  for made in
    select pg_get_functiondef(oid) as definition, pg_get_function_sqlbody(oid) as body
    from pg_proc
    where prosqlbody is not null and pronamespace::regnamespace::text in (
      select split_part(signature, '.', 1) from public.function_text, unnest(functions) signature)
    order by oid
  loop
    execute left(made.definition, strpos(made.definition, made.body) - 1) || ' as ' || quote_literal(
      case when made.body like 'BEGIN ATOMIC%' then substr(made.body, 13, length(made.body) - 15)
        else 'select ' || substr(made.body, 8) end);
  end loop;
end
$$;

-- 2. Foreign keys that Citus cannot check: from a shard to the coordinator, and between the coordinator and reference
-- tables. (It could check the latter, after making tables of its own of all that are linked with each other. Then
-- constraints have other names, and functions over a row of such a table are gone.)
alter table accounts.document drop constraint document_player_id_fkey;
alter table bets.bet drop constraint bet_room_id_fkey;
alter table console_games.odds_change drop constraint odds_change_rule_id_fkey;
alter table console_games.room_change drop constraint room_change_room_id_fkey;
alter table console_start.counted drop constraint counted_game_id_fkey;
alter table content.announcement_reader drop constraint announcement_reader_player_id_fkey;
alter table fairness.chain drop constraint chain_game_id_fkey;
alter table games.stop drop constraint stop_stopped_by_fkey;
alter table robots.robot drop constraint robot_room_id_fkey;
alter table rounds.round drop constraint round_game_id_fkey;

-- 3. Reference tables, whole on every node: written seldom, read with every order.
select create_reference_table('games.game');
select create_reference_table('games.house');
select create_reference_table('games.rule');
select create_reference_table('games.room');
select create_reference_table('games.odds');
select create_reference_table('games.stop');
select create_reference_table('own_account.terms');
select create_reference_table('protection.house');
select create_reference_table('protection.house_limit');
select create_reference_table('wallet.adjustment_limit');
select create_reference_table('withdrawals.terms');

-- 4. Distributed by player, all in the same way: a player's rows are on one node.
select create_distributed_table('accounts.document', 'player_id');
select create_distributed_table('bets.player_day', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('bets.player_total', 'player_id', colocate_with => 'accounts.document');
select create_distributed_table('content.announcement_reader', 'player_id', colocate_with => 'accounts.document');

commit;

-- 5. On the coordinator alone, as they are. What becomes of each kind: docs/scaling.md.
--    Keys of one of a kind in the house, or found before it is known whose they are:
--      accounts.player accounts.remembered_device accounts.session accounts.uploaded_picture
--      deposits.address deposits.assignment deposits.bank_deposit deposits.transfer
--      protection.held_deposit robots.robot withdrawals.withdrawal
--    Written by staff, or seldom, under a number of the whole house:
--      accounts.freezing console_players.code_reset console_players.contact console_players.note
--      console_players.sign own_account.data_file own_account.data_part protection.exclusion
--      wallet.adjustment withdrawals.pay_method
--    Rounds, whose triggers read and write other tables, and their books:
--      bets.book bets.book_node fairness.chain rounds.candle rounds.day rounds.draw rounds.round
--      rounds.value rounds.void_proposal rounds.voided_seed
--    Before there is a player, or of the house:
--      accounts.counter accounts.email_code accounts.house_picture app.books_checked app.call_count
--      app.captured_mail app.request_key app.sent_mail deposits.bank_account
--      deposits.chain_difference deposits.rescan_place deposits.seen_transfer deposits.spare_address
--      deposits.watcher_place robots.house
--    Staff, the console and content:
--      staff.audit staff.audit_head staff.audit_seal staff.member staff.recovery_code staff.session
--      staff.sign_in_tries console_games.odds_change console_games.room_change console_money.balance_mark
--      console_money.bank_batch console_money.bank_payment console_players.signs_day console_start.counted
--      console_start.day_figure console_start.round_figure content.about content.announcement
--      content.announcement_text content.article content.article_text content.banner content.category
--      content.category_name content.promo content.promo_title content.text
