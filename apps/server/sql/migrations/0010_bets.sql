-- Bets, and what each player's come to.

create schema bets;

create sequence bets.bet_id;

create table bets.bet (
  player_id integer not null references accounts.player,
  -- Ascends in the order of acceptance within a round; the feed's id.
  id bigint not null,
  -- The game day.
  booked_on date not null,
  order_no text not null,
  game_id smallint not null,
  issue bigint not null,
  room_id integer not null references games.room,
  rule_ids smallint[] not null check (cardinality(rule_ids) between 1 and 36),
  -- The odds of each rule as they stood when the bet was accepted, in thousandths.
  odds_milli integer[] not null,
  rules_version integer not null,
  -- On each rule; whole cents, so that every payout is exact. Micro-units.
  stake bigint not null check (stake > 0 and stake % 10000 = 0),
  total bigint not null,
  -- The balance once the stake was taken.
  cash_after bigint not null,
  accepted_at timestamptz not null,
  follow_id bigint,
  -- Known to the player alone: keeps his bet's leaf in the closed book from being guessed.
  nonce bytea not null check (octet_length(nonce) = 16),
  status text not null default 'accepted' check (status in ('accepted', 'won', 'lost', 'refunded')),
  payout bigint not null default 0 check (payout >= 0),
  settled_at timestamptz,
  primary key (player_id, id, booked_on),
  foreign key (game_id, issue) references rounds.round,
  check (cardinality(rule_ids) = cardinality(odds_milli)),
  check (total = stake * cardinality(rule_ids)),
  check ((status = 'accepted') = (settled_at is null)),
  check ((status = 'won') = (payout > 0))
) partition by range (booked_on);

create table bets.bet_default partition of bets.bet default;

insert into app.monthly_table values ('bets.bet');
create index bet_of_round on bets.bet (game_id, issue, id);
create index bet_unsettled on bets.bet (game_id, issue, player_id, id) where status = 'accepted';
create index bet_of_room on bets.bet (room_id, id);
create index bet_won_by_time on bets.bet (settled_at) where status = 'won';

-- What a player staked and was paid in bets settled on a calendar day, and in all.
create table bets.player_day (
  player_id integer not null,
  day date not null,
  staked bigint not null,
  paid bigint not null,
  primary key (player_id, day)
);

create table bets.player_total (
  player_id integer primary key,
  staked bigint not null,
  paid bigint not null
);
