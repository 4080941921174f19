-- By which the console's lists find a page where few of many rows are asked for. None is on bets or postings.

-- Players of a state other than the usual one, newest first, and by name.
drop index accounts.player_not_active;
create index player_not_active on accounts.player (state, created_at, id) where state <> 'active';
create index player_not_active_by_name on accounts.player (state, username_key, id) where state <> 'active';
-- Addresses by their first letters, under any collation of the database.
create index player_by_email_begin on accounts.player ((email_key::text) text_pattern_ops) where kind = 'person';
create index freezing_now on accounts.freezing (id) where lifted_at is null;

create index audit_by_staff_and_action on staff.audit (staff_id, action, id);

-- The queue of one player, and that of those which are proposed to be returned.
create index withdrawal_of_player_in_order on withdrawals.withdrawal (
  player_id, (case state when 'waiting' then id - 900000000000000000 else -id end), id);
drop index withdrawals.withdrawal_returning;
create index withdrawal_returning on withdrawals.withdrawal (
  (case state when 'waiting' then id - 900000000000000000 else -id end), id)
  where state = 'approved' and return_proposed_at is not null;
create index withdrawal_in_state_by_id on withdrawals.withdrawal (state, id);

create index transfer_of_player_by_time on deposits.transfer (player_id, block_at) where player_id is not null;
create index bank_deposit_of_player_by_time on deposits.bank_deposit (player_id, recorded_at);
create index chain_difference_by_kind on deposits.chain_difference (kind, id);

create index held_deposit_returning on protection.held_deposit (id)
  where state = 'held' and return_proposed_at is not null;
create index likeness_by_id on protection.exclusion (id) where kind = 'likeness';
create index likeness_by_decision on protection.exclusion (decision, id)
  where kind = 'likeness' and decision is not null;
create index likeness_of_other on protection.exclusion (like_player, id) where kind = 'likeness';

create index adjustment_by_kind on wallet.adjustment (kind, id);
create index bank_batch_by_state on console_money.bank_batch (state, id);
create index room_change_by_state on console_games.room_change (state, id);
