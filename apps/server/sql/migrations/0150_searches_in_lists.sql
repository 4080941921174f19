-- What the searches of the console's lists are found by.

create index pay_method_by_end on withdrawals.pay_method (right(shown_number, 4));
create index withdrawal_of_method on withdrawals.withdrawal (pay_method_id);
-- Refused deposits too, which may share a reference.
create index bank_deposit_by_reference on deposits.bank_deposit (reference_key);
create index transfer_unmatched_from on deposits.transfer (from_address) where player_id is null;
create index transfer_unmatched_to on deposits.transfer (to_address) where player_id is null;
create index chain_difference_by_transaction on deposits.chain_difference (tx_id);
create index adjustment_by_proposer on wallet.adjustment (proposed_by, id);
create index bank_payment_of_withdrawal on console_money.bank_payment (withdrawal_id);
