-- Room in the pages of rows that are written and soon changed. The new version of a row then stays in its
-- page, and no index has to be told: a key gets its result in the transaction that claimed it, and a balance
-- changes with every bet.

alter table wallet.idempotency_key set (fillfactor = 50);
alter table ledger.balance set (fillfactor = 50);
