-- The console's area money: withdrawals, deposits, adjustments, the books.

-- What the application may do.
grant usage on schema console_money to sum28_application;
