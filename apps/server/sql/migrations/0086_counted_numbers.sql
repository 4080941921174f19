-- How many numbers of documents, wallets and cards an account has given: each is a question whether it is an
-- excluded player's, so an account may give only so many.
alter table protection.mark
  -- A number that was new to the account when its player gave it. What came before this rule is not counted.
  add column counts boolean not null default false;
