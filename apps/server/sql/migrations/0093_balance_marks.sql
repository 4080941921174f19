-- Sums of the journal up to a moment, so that a trial balance of any day adds few postings to them.

create table console_money.balance_mark (
  at timestamptz not null,
  account text not null,
  kind text not null,
  -- Micro-units: what came to the account, and what went from it, by postings of the kind before the moment.
  debit numeric not null,
  credit numeric not null,
  primary key (at, account, kind)
);
comment on table console_money.balance_mark is 'What each account had in and out, by kind, before a moment: sums of the journal.';
