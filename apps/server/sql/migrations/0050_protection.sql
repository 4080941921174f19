-- Player protection: the limits that a player sets himself and those that bind everybody, what he has
-- staked, got back and deposited in the running periods, his session of play, exclusions, and the deposits
-- that came against a limit.

create schema protection;

-- The periods of a limit, in this order wherever three values stand in an array: the day, the week from
-- Monday on, and the month, all in the operator's time zone.

create table protection.house (
  only_one boolean primary key default true constraint house_only_one_check check (only_one),
  time_zone text not null,
  -- A session of play has ended when no bet was placed for so long.
  session_break interval not null,
  check_every_default interval not null
);
comment on table protection.house is
  'One row: the operator''s time zone and the times of the reality check. The owner writes it at each start.';
insert into protection.house values (true, 'UTC', '30 minutes', '60 minutes');

create table protection.house_limit (
  source text not null check (source in ('operator', 'law')),
  kind text not null check (kind in ('deposit', 'loss', 'stake')),
  period text not null check (period in ('day', 'week', 'month')),
  amount bigint not null check (amount >= 0),
  primary key (source, kind, period)
);
comment on table protection.house_limit is
  'Limits that bind every player, in micro-units, as configured. The owner writes them at each start.';

create table protection.player (
  player_id integer primary key,
  -- The first days of the periods that the sums are of.
  starts date[] not null default '{-infinity,-infinity,-infinity}' check (cardinality(starts) = 3),
  -- Micro-units. A bet counts for the periods in which it was accepted, and so does what it paid.
  staked bigint[] not null default '{0,0,0}' check (cardinality(staked) = 3),
  returned bigint[] not null default '{0,0,0}' check (cardinality(returned) = 3),
  deposited bigint[] not null default '{0,0,0}' check (cardinality(deposited) = 3),
  -- The session of play, from its first bet on.
  session_began_at timestamptz,
  session_active_at timestamptz,
  session_staked bigint not null default 0,
  session_returned bigint not null default 0,
  -- When the session began, or its last reality check was acknowledged.
  checked_at timestamptz,
  -- Null where the player chose none.
  check_every interval check (check_every between '15 minutes' and '240 minutes'),
  -- No bet and no deposit before. Infinity: until staff or a request of the player says otherwise.
  excluded_until timestamptz
) with (fillfactor = 70);
comment on table protection.player is
  'One row for each person: sums of the running periods, the session of play, and an exclusion.';
insert into protection.player (player_id) select id from accounts.player where kind = 'person';

create table protection.player_limit (
  player_id integer not null,
  kind text not null check (kind in ('deposit', 'loss', 'stake')),
  period text not null check (period in ('day', 'week', 'month')),
  -- Micro-units; null: none.
  amount bigint check (amount >= 0),
  set_at timestamptz not null,
  -- A higher limit that the player asked for, and may confirm a day later; without an amount: none.
  raise_asked_at timestamptz,
  raise_amount bigint check (raise_amount > amount),
  primary key (player_id, kind, period),
  check (raise_amount is null or raise_asked_at is not null)
);
comment on table protection.player_limit is 'Limits that players set for themselves.';

create table protection.exclusion (
  id bigint primary key generated always as identity,
  player_id integer not null,
  kind text not null check (kind in ('time_out', 'self_exclusion', 'likeness')),
  began_at timestamptz not null,
  -- Null: until staff decide.
  ends_at timestamptz check (ends_at > began_at),
  -- After its end a self-exclusion goes on until the player asks to return, and a day more.
  return_asked_at timestamptz,
  -- Of a likeness: the excluded player whom the account looks like, in what, and who decided.
  like_player integer,
  like_in text check (like_in in ('email', 'wallet', 'card', 'device')),
  decided_by integer,
  decided_at timestamptz
);
comment on table protection.exclusion is
  'Time-outs, self-exclusions, and accounts held since they look like an excluded player''s.';
create index exclusion_of_player on protection.exclusion (player_id, id);
create unique index likeness_once on protection.exclusion (player_id, like_player, like_in)
  where kind = 'likeness';

create table protection.held_deposit (
  id bigint primary key generated always as identity,
  player_id integer not null,
  amount bigint not null check (amount > 0),
  -- That of its posting: usdt:transaction:log, or bank:id.
  reference text not null unique,
  -- On the chain, the address it came from.
  from_address text,
  because text not null check (because in ('limit', 'excluded')),
  held_at timestamptz not null,
  state text not null default 'held' check (state in ('held', 'released', 'returned')),
  return_proposed_by integer,
  return_proposed_at timestamptz,
  decided_by integer,
  decided_at timestamptz,
  -- Of the payment with which it was paid back.
  return_reference text,
  check ((state = 'held') = (decided_at is null)),
  check (state <> 'returned' or decided_by <> return_proposed_by)
);
comment on table protection.held_deposit is
  'Deposits that came against a limit or an exclusion: held until they are released or paid back.';
create index held_deposit_of_player on protection.held_deposit (player_id, id);
create index held_deposit_open on protection.held_deposit (id) where state = 'held';

create table protection.change (
  player_id integer not null,
  id bigint not null generated always as identity,
  at timestamptz not null,
  what text not null,
  details jsonb not null,
  primary key (player_id, id)
);
comment on table protection.change is 'Each player''s own log of what changed in his protection.';

-- They answer more now, and PostgreSQL replaces no function by one that answers something else.
drop function if exists deposits.take_block(text, bigint, timestamptz, jsonb, date);
drop function if exists bets.resolve(integer, bigint, date, smallint[], integer);
