-- A schema for what each area of the operator's console adds: its own tables and functions.

-- What players and robots staked and were paid in a finished round, by room; room 0 is all of them.
create table console_start.round_figure (
  game_id smallint not null,
  issue bigint not null,
  -- 0: all rooms together, whose deviation is not that of the rooms: one draw decides all of them.
  room_id integer not null,
  robots boolean not null,
  game_day date not null,
  ended_at timestamptz not null,
  bets integer not null,
  staked bigint not null,
  paid bigint not null,
  -- Of the payouts, over the 1,000 draws that could have been.
  expected numeric not null,
  variance numeric not null,
  primary key (game_id, issue, room_id, robots)
);
create index round_figure_by_day on console_start.round_figure (game_day, room_id);

-- The sums of round_figure, by game day.
create table console_start.day_figure (
  game_day date not null,
  game_id smallint not null,
  -- 0: all rooms of the game together, as in round_figure.
  room_id integer not null,
  robots boolean not null,
  bets bigint not null,
  staked bigint not null,
  paid bigint not null,
  expected numeric not null,
  variance numeric not null,
  primary key (game_day, game_id, room_id, robots)
);

-- What each player, or robot, staked and was paid in the finished rounds of a game day, by room.
create table console_start.player_figure (
  game_day date not null,
  player_id integer not null,
  room_id integer not null,
  robots boolean not null,
  bets bigint not null,
  staked bigint not null,
  paid bigint not null,
  expected numeric not null,
  primary key (game_day, player_id, room_id)
);
create index player_figure_of_player on console_start.player_figure (player_id, game_day);

-- How far the rounds of each game are counted.
create table console_start.counted (
  game_id smallint primary key references games.game,
  -- Every round of the game that was drawn up to then is counted.
  through timestamptz not null
);

-- What staff have written down about a player, for each other. Rows are added and never changed.
create table console_players.note (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  text text not null check (text <> '' and length(text) <= 500),
  written_by integer not null references staff.member,
  written_at timestamptz not null
);
create index note_of_player on console_players.note (player_id, id);

-- What each person bet in a night, from midnight to 5 in the morning.
create table console_players.night (
  player_id integer not null,
  -- The calendar day on which the night ends, in the operator's time zone.
  day date not null,
  bets integer not null check (bets > 0),
  -- Micro-units.
  staked bigint not null check (staked > 0),
  primary key (day, player_id)
);

-- The days on whose end signs were looked for: up to and including the day before each.
create table console_players.signs_day (
  day date primary key,
  found_at timestamptz not null
);

-- The signs that are found now, one row for each player and kind.
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
create index sign_by_kind on console_players.sign (kind, id);

-- Contacts of staff with players about their play. Rows are added and never changed.
create table console_players.contact (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  day date not null,
  channel text not null check (channel in ('phone', 'mail', 'chat')),
  text text not null check (text <> '' and length(text) <= 500),
  written_by integer not null references staff.member,
  written_at timestamptz not null
);
create index contact_of_player on console_players.contact (player_id, id);
create index contact_by_time on console_players.contact (written_at);

create table console_players.template (
  id integer generated always as identity primary key,
  name text not null check (name <> '' and length(name) <= 60),
  version integer not null default 1,
  changed_by integer not null references staff.member,
  changed_at timestamptz not null
);

-- The text of each template in each language; plain text, English always.
create table console_players.template_text (
  template_id integer not null references console_players.template on delete cascade,
  lang text not null check (lang in ('en', 'zh', 'zh-TW', 'ja', 'ko', 'vi', 'id')),
  text text not null check (text <> '' and length(text) <= 500),
  primary key (template_id, lang)
);

-- Exports for the bank, or for the operator's wallet: each a batch of approved withdrawals.
create table console_money.bank_batch (
  id integer generated always as identity primary key,
  -- What it pays to: cards, by the bank, or wallets, by the operator's own.
  kind text not null check (kind in ('bank', 'wallet')),
  -- open: the bank has not answered all of it.
  state text not null default 'open' check (state in ('open', 'done', 'cancelled')),
  made_by integer not null references staff.member,
  made_at timestamptz not null,
  -- Who took in the last of the bank's answers, or cancelled it.
  ended_by integer references staff.member,
  ended_at timestamptz,
  cancel_reason text,
  constraint end_is_whole check ((ended_by is null) = (state = 'open') and (ended_at is null) = (state = 'open')),
  constraint cancelled_with_a_reason check (state <> 'cancelled' or cancel_reason is not null)
);
create index bank_batch_by_state on console_money.bank_batch (state, id);

-- The withdrawals of a batch for the bank, and what the bank answered of each.
create table console_money.bank_payment (
  batch_id integer not null references console_money.bank_batch,
  withdrawal_id bigint not null references withdrawals.withdrawal (id),
  -- Micro-units: what is left to be paid of it.
  amount bigint not null check (amount > 0),
  -- sent: the bank has not answered yet.
  state text not null default 'sent' check (state in ('sent', 'paid', 'failed')),
  -- Of the payment, as the bank wrote it.
  reference text,
  -- Why the bank did not pay, or why the batch was cancelled.
  reason text,
  answered_by integer references staff.member,
  answered_at timestamptz,
  -- Who let it go into the next batch after the bank had not paid it.
  released_by integer references staff.member,
  released_at timestamptz,
  primary key (batch_id, withdrawal_id),
  constraint paid_with_reference check ((state = 'paid') = (reference is not null)),
  constraint failed_with_reason check ((state = 'failed') = (reason is not null)),
  constraint answer_is_whole check ((answered_at is null) = (state = 'sent')
    and (answered_by is null) = (answered_at is null)),
  constraint released_whole check ((released_by is null) = (released_at is null)),
  constraint released_after_failure check (released_by is null or state = 'failed'),
  constraint released_by_another check (released_by is distinct from answered_by or released_by is null)
);
-- A withdrawal is in one batch that the bank may still pay, or has paid.
create unique index bank_payment_once on console_money.bank_payment (withdrawal_id) where state in ('sent', 'paid');
create index bank_payment_of_withdrawal on console_money.bank_payment (withdrawal_id);

-- What each account had in and out, by kind, before a moment: sums of the journal.
create table console_money.balance_snapshot (
  at timestamptz not null,
  account text not null,
  kind text not null,
  -- Micro-units: what came to the account, and what went from it, by postings of the kind before the moment.
  debit numeric not null,
  credit numeric not null,
  primary key (at, account, kind)
);

-- What chain and bank had brought to players before a moment: sums that are compared with the journal.
create table console_money.deposit_snapshot (
  at timestamptz primary key,
  -- Micro-units: transfers that were credited before the moment, and bank deposits that were confirmed.
  by_chain numeric not null,
  by_bank numeric not null
);
