-- What the house publishes of its money: what it owes, what it holds, and how returns were.

-- Counts of what is owed to people, as Merkle sum trees, and of what the house held then. Rows never change.
create table disclosure.owed_count (
  number integer primary key check (number > 0),
  counted_at timestamptz not null,
  -- Places of the tree. Those without a player hide how many players there are.
  size integer not null check (size >= 256 and size & (size - 1) = 0),
  -- Of all people; micro-units.
  cash bigint not null check (cash >= 0),
  held bigint not null check (held >= 0),
  at_risk bigint not null check (at_risk >= 0),
  total bigint not null,
  root bytea not null check (octet_length(root) = 32),
  -- The salts of the leaves follow from it.
  salt_key bytea not null check (octet_length(salt_key) = 32),
  -- What the house's addresses held on the chain at this block.
  on_chain bigint not null check (on_chain >= 0),
  block bigint check (block >= 0),
  -- What the bank's last statement said, as two persons entered it; null if it is older than a week.
  at_bank bigint check (at_bank >= 0),
  constraint total_is_of_all check (total = cash + held + at_risk)
);

-- The leaves of the last counts, in places by chance; the other places are empty.
create table disclosure.owed_leaf (
  number integer not null,
  position integer not null check (position >= 0),
  player_id integer not null,
  cash bigint not null check (cash >= 0),
  held bigint not null check (held >= 0),
  at_risk bigint not null check (at_risk >= 0),
  primary key (number, position),
  -- It does not begin with the number: of a new one no statistics know how many leaves it has, and each lookup of a place
  -- would read all of them.
  constraint player_counted_once unique (player_id, number)
);

-- The roots of subtrees of 256 nodes, and of the last ones. Follows from disclosure.owed_leaf.
create table disclosure.owed_node (
  number integer not null,
  level smallint not null check (level >= 8),
  position integer not null check (position >= 0),
  -- A sum in 8 bytes, and a hash.
  node bytea not null check (octet_length(node) = 40),
  primary key (number, level, position)
);

-- What each address held at a count, in micro-units. Rows never change.
create table disclosure.address_balance (
  number integer not null references disclosure.owed_count,
  address_id integer not null references deposits.house_address,
  amount bigint not null check (amount >= 0),
  primary key (number, address_id)
);

-- What the bank's statements said, as one person proposed and another confirmed. Rows never change.
create table disclosure.bank_balance (
  proposal_id bigint primary key references staff.proposal,
  amount bigint not null check (amount >= 0),
  -- Of the bank's statement.
  day date not null
);

-- What people staked on each outcome of a game day, and were paid. Rows never change.
create table disclosure.return_day (
  day date not null,
  game_id smallint not null references games.game,
  rule_id smallint not null references games.rule,
  -- Rounds in which people staked on the outcome, and of those the ones in which it won.
  rounds integer not null check (rounds > 0),
  wins integer not null check (wins between 0 and rounds),
  -- Micro-units, of people alone.
  staked bigint not null,
  paid bigint not null,
  -- Of the payouts, by chance alone; and the most that one round could pay.
  expected numeric not null,
  variance numeric not null,
  largest bigint not null,
  primary key (day, game_id, rule_id)
);

-- The game days whose returns were compared with theory. Rows never change.
create table disclosure.return_report (
  day date primary key,
  -- Comparisons of theory and fact that were made, and those that chance alone hardly explains.
  tests integer not null check (tests >= 0),
  unlikely integer not null check (unlikely between 0 and tests),
  -- Of these, the ones of a single day, and the ones that were not unlikely in the report before: of them staff are told.
  newly_unlikely integer not null check (newly_unlikely between 0 and unlikely),
  made_at timestamptz not null default app.now()
);
