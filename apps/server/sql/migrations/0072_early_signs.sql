-- Early signs of play that gets out of hand, as facts, and the contacts that staff had with players about them.

-- Bets of each night, so that finding signs reads no bet twice.
create table console_players.night (
  player_id integer not null,
  -- The calendar day on which the night ends, in the operator's time zone.
  day date not null,
  bets integer not null check (bets > 0),
  -- Micro-units.
  staked bigint not null check (staked > 0),
  primary key (day, player_id)
);
comment on table console_players.night is 'What each person bet in a night, from midnight to 5 in the morning.';

create table console_players.signs_day (
  day date primary key,
  found_at timestamptz not null
);
comment on table console_players.signs_day is
  'The days on whose end signs were looked for: up to and including the day before each.';

create table console_players.sign (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  kind text not null
    check (kind in ('deposits_growing', 'limits_raised', 'chasing_losses', 'nights', 'withdrawals_rejected')),
  -- The first and the last of the days without a gap on which it was found.
  since_day date not null,
  until_day date not null check (until_day >= since_day),
  -- An array of {day, values}, the earliest first; amounts in micro-units, as text.
  facts jsonb not null check (jsonb_typeof(facts) = 'array'),
  unique (player_id, kind)
);
comment on table console_players.sign is 'The signs that are found now, one row for each player and kind.';
create index sign_by_kind on console_players.sign (kind, id);

create table console_players.contact (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  day date not null,
  channel text not null check (channel in ('phone', 'mail', 'chat')),
  text text not null check (text <> '' and length(text) <= 500),
  written_by integer not null references staff.member,
  written_at timestamptz not null
);
comment on table console_players.contact is
  'Contacts of staff with players about their play. Rows are added and never changed.';
create index contact_of_player on console_players.contact (player_id, id);

-- What signs are found in: the last weeks, of everybody, without reading the years before.
create index transfer_by_credit on deposits.transfer (credited_at) where player_id is not null;
create index bank_deposit_by_decision on deposits.bank_deposit (decided_at) where state = 'confirmed';
create index held_deposit_by_decision on protection.held_deposit (decided_at) where state = 'released';
create index change_by_time on protection.change (at) where what = 'limit_raised';
create index withdrawal_rejected_by_time on withdrawals.withdrawal (decided_at) where state = 'rejected';
create index player_day_by_day on bets.player_day (day);
