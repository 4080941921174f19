-- Player protection: the limits that a player sets himself and those that bind everybody, what he has
-- staked, got back and deposited in the running periods, his session of play, exclusions, and the deposits
-- that came against a limit.

-- One row: the operator's time zone and the times of the reality check, which the owner writes at each start; and a
-- stop after a restore.
create table protection.house (
  only_one boolean primary key default true constraint house_only_one_check check (only_one),
  time_zone text not null,
  -- A session of play has ended when no bet was placed for so long.
  session_break interval not null,
  check_every_default interval not null,
  -- After a restore: until then no held deposit is credited, or begun to be paid back.
  keeps_deposits_until timestamptz
);

insert into protection.house values (true, 'UTC', '30 minutes', '60 minutes');

-- Limits that bind every player, in micro-units, as configured. The owner writes them at each start.
create table protection.house_limit (
  source text not null check (source in ('operator', 'law')),
  kind text not null check (kind in ('deposit', 'loss', 'stake')),
  period text not null check (period in ('day', 'week', 'month')),
  amount bigint not null check (amount >= 0),
  primary key (source, kind, period)
);

-- One row for each person: sums of the running periods, the session of play, and an exclusion.
create table protection.player (
  player_id integer primary key,
  -- The first days of the periods that the sums are of.
  starts date[] not null default '{-infinity,-infinity,-infinity}' check (cardinality(starts) = 3),
  -- Micro-units. A bet counts for the periods in which it was accepted, and so does what it paid.
  staked bigint[] not null default '{0,0,0}' check (cardinality(staked) = 3),
  paid_out bigint[] not null default '{0,0,0}' check (cardinality(paid_out) = 3),
  deposited bigint[] not null default '{0,0,0}' check (cardinality(deposited) = 3),
  -- The session of play, from its first bet on.
  session_began_at timestamptz,
  session_active_at timestamptz,
  session_staked bigint not null default 0,
  session_paid_out bigint not null default 0,
  -- When the session began, or its last reality check was acknowledged.
  checked_at timestamptz,
  -- Null where the player chose none.
  check_every interval check (check_every between '15 minutes' and '240 minutes'),
  -- No bet and no deposit before. Infinity: until staff or a request of the player says otherwise.
  excluded_until timestamptz,
  -- He may not bet, and deposits are held, until staff have decided.
  under_review boolean not null default false,
  -- When he gave a date of birth here by which he is under age; null: he did not.
  said_under_age_at timestamptz,
  -- When staff accepted an adult's identity here since; null: they did not.
  proved_adult_at timestamptz,
  -- The key with which the marks of all that he had were made; null: they are not all made.
  marked_with text
) with (fillfactor = 70);
create index player_by_mark on protection.player (marked_with, player_id);
create index player_under_review on protection.player (player_id) where under_review;

-- Limits that players set for themselves.
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
  -- When the higher limit was asked for that he was told of.
  raise_told_for timestamptz,
  primary key (player_id, kind, period),
  check (raise_amount is null or raise_asked_at is not null)
);
create index player_limit_raise on protection.player_limit (raise_asked_at) where raise_asked_at is not null;

-- Time-outs, self-exclusions, and accounts held since they look like an excluded player's.
create table protection.exclusion (
  id bigint primary key generated always as identity,
  player_id integer not null,
  kind text not null check (kind in ('time_out', 'self_exclusion', 'likeness')),
  began_at timestamptz not null,
  -- Null: until staff decide.
  ends_at timestamptz check (ends_at > began_at),
  -- After its end a self-exclusion goes on until the player asks to return, and a day more.
  end_requested_at timestamptz,
  -- Whose break it is, if it holds here because staff have confirmed that both are one person.
  shared_from integer,
  -- Of a likeness: the excluded player whom the account looks like, in what, and who decided.
  like_player integer,
  like_in text check (like_in in ('email', 'document', 'wallet', 'card', 'device', 'person')),
  decided_by integer,
  decided_at timestamptz,
  -- Of a likeness: whether it holds the account until it is decided. One of two accounts that were both
  -- there before the exclusion is shown to staff and not held.
  holds boolean not null default false,
  decision text check (decision in ('released', 'confirmed')),
  decide_reason text,
  constraint likeness_is_whole check (kind <> 'likeness' or like_player is not null and like_in is not null),
  constraint decided_is_whole check ((decided_at is null) = (decided_by is null)
    and (decided_at is null) = (decision is null) and (decided_at is null) = (decide_reason is null))
);
create index exclusion_of_player on protection.exclusion (player_id, id);
create index exclusion_by_begin on protection.exclusion (kind, began_at);
create index exclusion_by_return on protection.exclusion (end_requested_at) where end_requested_at is not null;
create index likeness_open on protection.exclusion (id) where kind = 'likeness' and decided_at is null;
create unique index likeness_once on protection.exclusion (player_id, like_player, like_in)
  where kind = 'likeness' and decided_at is null;
create index likeness_by_id on protection.exclusion (id) where kind = 'likeness';
create index likeness_by_decision on protection.exclusion (decision, id) where decision is not null;
create index likeness_of_pair on protection.exclusion (player_id, like_player, like_in) where decided_at is not null;
create index likeness_of_other on protection.exclusion (like_player, id) where kind = 'likeness';

-- Deposits that came against a limit or an exclusion: held until they are released, paid back or taken back.
create table protection.held_deposit (
  id bigint primary key generated always as identity,
  player_id integer not null,
  amount bigint not null check (amount > 0),
  -- That of its posting: usdt:transaction:log, with the assignment's number if it was assigned, or bank:id.
  reference text not null unique,
  -- On the chain, the address it came from.
  from_address text,
  because text not null check (because in ('limit', 'excluded', 'review')),
  -- Whether staff should pay it back: it came during a break, is above the whole of a limit, or is asked back.
  for_staff boolean not null default false,
  -- When its player asked to have it paid back: from then on it is not credited.
  asked_back_at timestamptz,
  held_at timestamptz not null,
  state text not null default 'held' check (state in ('held', 'released', 'refunded', 'taken_back')),
  decided_by integer,
  decided_at timestamptz,
  -- Of the payment with which it was paid back.
  refund_reference text,
  -- Of the payment, in the form in which references are compared.
  refund_key text,
  -- On the chain, the address that it was paid back to instead of the one it came from.
  refund_to text,
  -- Of one that was paid back on the chain: whether the transaction has been read there.
  refund_chain text check (refund_chain in ('awaited', 'seen', 'wrong')),
  -- Who named another transaction, or reference of a bank, than the one that was recorded first.
  refund_corrected_by integer,
  -- Of one that was paid back by a bank: who said that the bank sent that payment back.
  refund_returned_by integer,
  check ((state = 'held') = (decided_at is null)),
  constraint refunded_is_complete check ((state = 'refunded') = (refund_reference is not null)
    and (state = 'refunded') = (refund_key is not null)
    and (state in ('refunded', 'taken_back')) = (decided_by is not null)
    and (refund_chain is not null) = (state = 'refunded' and from_address is not null)
    and (refund_to is null or refund_chain is not null)
    and (refund_corrected_by is null or state = 'refunded')
    and (refund_returned_by is null or state = 'refunded' and from_address is null))
);
create index held_deposit_of_player on protection.held_deposit (player_id, id);
create index held_refund_awaited on protection.held_deposit (id) where refund_chain = 'awaited';
create index held_refund_wrong on protection.held_deposit (id)
  where refund_chain = 'wrong' or refund_returned_by is not null;
create index held_deposit_for_staff on protection.held_deposit (id) where state = 'held' and for_staff;
create unique index refund_reference_once on protection.held_deposit (refund_key);
create index held_deposit_by_state on protection.held_deposit (state, id);
create index held_deposit_decided on protection.held_deposit (decided_at);

-- Each player's own log of what changed in his protection.
create table protection.change (
  player_id integer not null,
  id bigint not null generated always as identity,
  at timestamptz not null,
  what text not null,
  details jsonb not null,
  primary key (player_id, id)
);
create index change_of_limits on protection.change (at)
  where what in ('limit_lowered', 'limit_raise_asked', 'limit_raised', 'limit_same');
create index change_by_time on protection.change (at) where what = 'limit_raised';

-- What an account is recognised by: keyed hashes of mailbox, document, wallet, card, device and person.
create table protection.mark (
  player_id integer not null,
  kind text not null check (kind in ('email', 'document', 'wallet', 'card', 'device', 'person')),
  -- A keyed hash of the canonical form, and the key it was made with.
  hash bytea not null check (octet_length(hash) = 32),
  key_id text not null,
  noted_at timestamptz not null,
  -- A number that was new to the account when its player gave it.
  counts boolean not null default false,
  primary key (player_id, kind, hash)
);
create index mark_by_hash on protection.mark (kind, hash, player_id);
