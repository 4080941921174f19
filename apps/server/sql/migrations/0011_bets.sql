-- Bets, and what each player's come to.

create sequence bets.bet_id;

-- An order on its way through the steps of bets.place.
create type bets.order_slip as (
  -- The order's position in its batch.
  ord integer,
  player_id integer,
  client_key text,
  -- Ids are as wide as a request may write them: one that no rule or game has is refused, not a fault.
  game_id integer,
  issue bigint,
  room_id integer,
  rule_ids integer[],
  -- Micro-units, on each rule and in all.
  stake bigint,
  total bigint,
  follow_id bigint,
  nonce text,
  reason text,
  facts jsonb,
  booked_on date,
  odds_milli integer[],
  rules_version integer,
  -- The balance that the room asks for.
  entry_min bigint,
  -- What the player's bets of the round, this one with them, pay if every selection hits.
  could_pay bigint
);

-- A round that was open when a batch of orders locked it, and stays so until the batch ends.
create type bets.locked_round as (
  game_id integer,
  issue bigint
);

-- Accepted bets. What was accepted never changes; a bet is settled or refunded once. Player, room and round are looked up
-- once for all bets of a statement, by a trigger, and none of these is ever deleted.
create table bets.bet (
  player_id integer not null,
  -- Ascends in the order of acceptance within a round; the feed's id.
  id bigint not null,
  -- The game day.
  booked_on date not null,
  order_no text not null,
  game_id smallint not null,
  issue bigint not null,
  room_id integer not null,
  rule_ids smallint[] not null check (cardinality(rule_ids) between 1 and 36),
  -- The odds of each rule when the bet was accepted, in thousandths.
  odds_milli integer[] not null,
  rules_version integer not null,
  -- Micro-units, on each rule.
  stake bigint not null check (stake > 0 and stake % 10000 = 0),
  total bigint not null,
  -- What the player's bets of the round up to this one would pay if every selection hit.
  could_pay bigint not null check (could_pay >= 0),
  -- The player's cash after the stake was taken, in micro-units.
  cash_after bigint not null,
  -- The posting that took the stake.
  posting_id bigint not null,
  accepted_at timestamptz not null,
  follow_id bigint,
  -- Known to the player alone: nobody else can guess his bet's leaf in the closed book.
  nonce bytea not null check (octet_length(nonce) = 16),
  -- The idempotency key of the order; if the client gave none, one that is made from the nonce.
  client_key text collate "C" not null check (length(client_key) between 1 and 255),
  status text not null default 'accepted' check (status in ('accepted', 'won', 'lost', 'refunded')),
  payout bigint not null default 0 check (payout >= 0),
  settled_at timestamptz,
  primary key (player_id, id, booked_on),
  check (cardinality(rule_ids) = cardinality(odds_milli)),
  check (total = stake * cardinality(rule_ids)),
  check ((status = 'accepted') = (settled_at is null)),
  check ((status = 'won') = (payout > 0))
) partition by range (booked_on);
create table bets.bet_default partition of bets.bet default with (fillfactor = 50);
-- A migration adds further years before they begin. A key is a bet's in its year, whatever day it counts for.
select app.add_year('bets.bet', year, 'fillfactor = 50', 'player_id, client_key') from generate_series(2026, 2035) year;
create unique index bet_default_once on bets.bet_default (player_id, client_key);
-- No index contains what a settlement changes: the new version of a bet stays in its page, and no index gets an entry.
create index bet_of_round on bets.bet (game_id, issue, player_id, id);
create index bet_of_room on bets.bet (room_id, id);
-- Of few bets, so that most orders write no entry.
create index bet_large on bets.bet (room_id, id) where total >= 10000000000;

-- The daily check of the books reads the bets since a day.
create index bet_by_day on bets.bet using brin (booked_on) with (autosummarize = on);

-- How far a round's settlement or refund has come, until it has ended.
create table bets.settling (
  game_id smallint not null,
  issue bigint not null,
  -- The last bet that is settled or refunded, in the order of players and their bets.
  last_player integer not null,
  last_bet bigint not null,
  primary key (game_id, issue)
);

-- The largest wins of each settlement, of people, for two days. Follows from bets.bet and can be made from it anew.
create table bets.winner (
  settled_at timestamptz not null,
  player_id integer not null,
  bet_id bigint not null,
  game_id smallint not null,
  -- Payouts minus stakes of the player's bets in the round, of which bet_id is one, in micro-units.
  profit bigint not null check (profit > 0),
  primary key (player_id, bet_id)
);
create index winner_by_time on bets.winner (settled_at);

-- What a player staked and was paid in bets settled on a calendar day.
create table bets.player_day (
  player_id integer not null,
  day date not null,
  staked bigint not null,
  paid bigint not null,
  primary key (player_id, day)
);
create index player_day_by_day on bets.player_day (day);

-- Follows from bets.bet and can be made from it anew.
create table bets.book (
  game_id smallint not null,
  issue bigint not null,
  -- Bets that are in it, and the last of them.
  size integer not null default 0 check (size >= 0),
  last_bet_id bigint not null default 0,
  -- The first bet of the block that is being filled: the next one's where it is full.
  block_first_id bigint not null default 0,
  -- The roots of the whole subtrees that the tree consists of: element n + 1 is the one of 2^n leaves,
  -- and counts where the size has that bit.
  subtree_roots bytea[] not null default '{}',
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round
) with (fillfactor = 50);

-- Follows from bets.bet and can be made from it anew.
create table bets.book_node (
  game_id smallint not null,
  issue bigint not null,
  level smallint not null check (level >= 8),
  -- From 0, among those of its level.
  position integer not null,
  hash bytea not null check (octet_length(hash) = 32),
  -- Of level 8: the first bet in it, by which a bet's block is found.
  first_bet_id bigint,
  primary key (game_id, issue, level, position),
  check ((level = 8) = (first_bet_id is not null))
);
create index book_block on bets.book_node (game_id, issue, first_bet_id) where level = 8;
