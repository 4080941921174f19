-- Up to when the books were found right: the daily check looks at what came since.
create table app.books_checked (
  only_one boolean primary key default true check (only_one),
  through timestamptz not null
);
insert into app.books_checked (through) values ('-infinity');

-- What came since a moment, found without reading the rest. Postings come in the order of their times.
create index posting_by_time on ledger.posting using brin (posted_at);
create index transfer_credited on deposits.transfer (credited_at) where credited_at is not null;
create index bank_deposit_confirmed on deposits.bank_deposit (decided_at) where state = 'confirmed';
create index withdrawal_decided on withdrawals.withdrawal (decided_at);
