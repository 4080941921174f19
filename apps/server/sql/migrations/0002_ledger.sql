-- The double-entry ledger. It knows accounts and postings, and nothing of players or games.
--
-- A posting moves an amount from one account to another, so the sum over all accounts is always
-- zero. A holder has two accounts, cash and held, whose balances are kept; the house's accounts
-- (house:…) have no row of their own: their balance is the sum of their postings, so that no
-- posting ever waits for a row that all share.

create sequence ledger.posting_id;

create type ledger.posting_request as (
  holder_id integer,
  booked_on date,
  kind text,
  source text,
  destination text,
  amount bigint,
  reference text
);

-- What a holder has. Changed only by ledger.post; always the sum of the postings.
create table ledger.balance (
  holder_id integer primary key,
  cash bigint not null default 0 constraint cash_not_negative check (cash >= 0),
  held bigint not null default 0 constraint held_not_negative check (held >= 0),
  -- The number of the holder's last posting, 0 before the first: of two balances of a holder it tells the later one.
  last_posting bigint not null default 0
) with (fillfactor = 50);

-- The journal. Rows are added and never changed. Its holder's balance is looked up once for all postings of a statement,
-- by a trigger, and no balance is ever deleted.
create table ledger.posting (
  holder_id integer not null,
  id bigint not null,
  -- The day that the posting counts for: a bet's game day, else the day in the operator's time zone.
  booked_on date not null,
  posted_at timestamptz not null,
  kind text not null,
  source text not null,
  destination text not null,
  -- Micro-units.
  amount bigint not null check (amount > 0),
  cash_after bigint not null check (cash_after >= 0),
  held_after bigint not null check (held_after >= 0),
  -- What caused it: one posting of a kind for each cause.
  reference text not null,
  primary key (holder_id, id, booked_on),
  constraint posted_once unique (holder_id, kind, reference, booked_on),
  constraint two_accounts check (source <> destination),
  constraint known_accounts check (
    source in ('cash', 'held', 'house:treasury', 'house:game', 'house:bonus', 'house:robots')
    and destination in ('cash', 'held', 'house:treasury', 'house:game', 'house:bonus', 'house:robots')),
  constraint holder_involved check (
    source in ('cash', 'held') or destination in ('cash', 'held'))
) partition by range (booked_on);
-- A migration adds further years before they begin. Each table is vacuumed after so many rows, and not after a fifth more:
-- what is found by time is not read whole until then.
create table ledger.posting_default partition of ledger.posting default
  with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000);
select app.add_year('ledger.posting', year,
  'autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000')
from generate_series(2026, 2035) year;
-- What came since a moment, found without reading the rest. Postings come in the order of their times. Blocks that are not
-- summarised yet are read by every search: each is as soon as the next ones are begun.
create index posting_by_time on ledger.posting using brin (posted_at) with (autosummarize = on);
-- Money that came in and went out, among which are no stakes and no payouts.
create index posting_of_money on ledger.posting (posted_at) include (holder_id, kind, amount)
  where kind not in ('stake', 'payout', 'refund');
create index posting_of_money_of_holder on ledger.posting (holder_id, posted_at) include (kind, amount)
  where kind not in ('stake', 'payout', 'refund');
