-- Lists of staff that are paged by keyset: each order with the number that decides among equals.

drop index withdrawals.withdrawal_in_order;
drop index withdrawals.withdrawal_in_state;
-- Those that wait, oldest first, then the rest, newest first.
create index withdrawal_in_order on withdrawals.withdrawal (
  (case state when 'waiting' then id - 900000000000000000 else -id end), id);
create index withdrawal_in_state on withdrawals.withdrawal (
  state, (case state when 'waiting' then id - 900000000000000000 else -id end), id);
