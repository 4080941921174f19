-- Books that grow with the bets. A round's book is the tree over its accepted bets in the order of
-- acceptance; what is kept of it while it grows is enough for its root, and for the path of any bet
-- without reading all the others.

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
  whole bytea[] not null default '{}',
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round
) with (fillfactor = 50);
comment on table bets.book is 'Follows from bets.bet and can be made from it anew.';

-- Whole subtrees of 256 leaves and more.
create table bets.book_node (
  game_id smallint not null,
  issue bigint not null,
  level smallint not null check (level >= 8),
  -- From 0, among those of its level.
  place integer not null,
  hash bytea not null check (octet_length(hash) = 32),
  -- Of level 8: the first bet in it, by which a bet's block is found.
  first_bet_id bigint,
  primary key (game_id, issue, level, place),
  check ((level = 8) = (first_bet_id is not null))
);
create index book_block on bets.book_node (game_id, issue, first_bet_id) where level = 8;
comment on table bets.book_node is 'Follows from bets.bet and can be made from it anew.';
