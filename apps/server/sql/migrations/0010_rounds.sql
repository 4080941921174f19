-- The life of a round: open, sealed, drawn, settled; or voided. Its draw, and what the screens of
-- results read.

create table rounds.round (
  game_id smallint not null references games.game,
  -- The game day's date and the number within it: 20261120001.
  issue bigint not null,
  game_day date not null,
  number integer not null check (number > 0),
  opens_at timestamptz not null,
  seals_at timestamptz not null,
  draws_at timestamptz not null,
  -- From when it may be voided because the beacon's value is not stored; announced with the round.
  voids_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'sealed', 'drawn', 'settled', 'voided')),
  -- What decides the draw, fixed before the first bet.
  chain_id integer not null references fairness.chain,
  chain_index integer not null check (chain_index > 0),
  beacon_kind text not null check (beacon_kind in ('drand', 'local')),
  beacon_chain_hash text not null,
  beacon_public_key text not null,
  beacon_scheme text not null,
  -- With these two anybody can reckon that the announced beacon round is the first at or after the
  -- round's end.
  beacon_genesis bigint not null check (beacon_genesis >= 0),
  beacon_period integer not null check (beacon_period between 1 and 3600),
  beacon_round bigint not null check (beacon_round > 0),
  -- The root of the tree over the accepted bets, closed before the beacon's value exists.
  book_root bytea check (octet_length(book_root) = 32),
  book_size integer check (book_size >= 0),
  -- When betting ended and the book was closed, in one step.
  sealed_at timestamptz,
  -- By the clock of the first witness that signed a log with its book, if the beacon's value did not exist yet.
  witnessed_at timestamptz check (witnessed_at is null or sealed_at is not null),
  -- When every bet of it was paid, lost or refunded.
  settled_at timestamptz,
  voided_at timestamptz,
  void_reason text check (void_reason in ('beacon_late', 'sealed_late', 'two_persons')),
  primary key (game_id, issue),
  constraint one_seed_a_round unique (chain_id, chain_index),
  check (opens_at < seals_at and seals_at < draws_at),
  check ((book_root is null) = (book_size is null)),
  constraint sealed_with_its_book check (
    (book_root is null) = (sealed_at is null) and (state in ('open', 'voided') or sealed_at is not null)),
  constraint sealed_before_its_end check (sealed_at < draws_at),
  check ((voided_at is null) = (void_reason is null)),
  check (voids_at > draws_at),
  constraint beacon_round_is_first_after_end check (
    to_timestamp(beacon_genesis + (beacon_round - 1) * beacon_period) >= draws_at
    and to_timestamp(beacon_genesis + (beacon_round - 2) * beacon_period) < draws_at)
);
create index round_unfinished on rounds.round (game_id, issue) where settled_at is null;
create index round_by_time on rounds.round (game_id, draws_at desc);
create index round_by_day on rounds.round (game_id, game_day, issue desc);
create index round_voided on rounds.round (game_id, voided_at) where state = 'voided';
-- The list of the rounds of all games by their end, page by page. Each row of it is named by one number.
create index round_of_all_by_time on rounds.round (draws_at desc, (issue * 1000 + game_id) desc);
-- The few that are not over, and those that were voided, among all others.
create index round_not_over_of_all on rounds.round (draws_at desc, (issue * 1000 + game_id) desc)
  where state in ('open', 'sealed', 'drawn');
create index round_voided_of_all on rounds.round (draws_at desc, (issue * 1000 + game_id) desc)
  where state = 'voided';

-- The draw of a round, with what it follows from. Rows never change.
create table rounds.draw (
  game_id smallint not null,
  issue bigint not null,
  seed bytea not null check (octet_length(seed) = 32),
  beacon_signature bytea not null,
  randomness bytea not null check (octet_length(randomness) = 32),
  digit_1 smallint not null check (digit_1 between 0 and 9),
  digit_2 smallint not null check (digit_2 between 0 and 9),
  digit_3 smallint not null check (digit_3 between 0 and 9),
  total smallint not null generated always as (digit_1 + digit_2 + digit_3) stored,
  drawn_at timestamptz not null default app.now(),
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round
);

-- Follows from rounds.round and can be made from it anew.
create table rounds.day (
  game_id smallint not null,
  game_day date not null,
  -- How many of its rounds were drawn or voided.
  results integer not null,
  primary key (game_id, game_day)
);

-- The stored beacon value of a round, which never changes. A round that has one in time can only be drawn; one that was
-- voided shows with it what the draw would have been.
create table rounds.value (
  game_id smallint not null,
  issue bigint not null,
  beacon_signature bytea not null,
  randomness bytea not null,
  stored_at timestamptz not null,
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round,
  constraint randomness_is_of_signature check (randomness = sha256(beacon_signature))
);

-- The seed of a voided round, once it is published. Rows never change.
create table rounds.voided_seed (
  game_id smallint not null,
  issue bigint not null,
  seed bytea not null check (octet_length(seed) = 32),
  published_at timestamptz not null,
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round
);
