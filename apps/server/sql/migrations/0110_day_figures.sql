-- The figures of rounds added up by day, game and room, and by day, player and room: what the reports read.
-- All rounds are counted anew, newest first.

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

create table console_start.counted (
  game_id smallint primary key references games.game,
  -- Every round of the game that was drawn up to then is counted.
  through timestamptz not null
);

-- Made anew with the other functions; the present one names the table.
drop function if exists console_start.count_round(smallint, bigint, date, timestamptz);
drop table console_start.day_player;
truncate console_start.round_figure;

-- Money that came in and went out, among which are no stakes and no payouts.
create index posting_of_money on ledger.posting (posted_at) include (holder_id, kind, amount)
  where kind not in ('stake', 'payout', 'refund');

comment on table console_start.day_figure is 'The sums of round_figure, by game day.';
comment on table console_start.player_figure is
  'What each player, or robot, staked and was paid in the finished rounds of a game day, by room.';
comment on table console_start.counted is 'How far the rounds of each game are counted.';

create index posting_of_money_of_holder on ledger.posting (holder_id, posted_at) include (kind, amount)
  where kind not in ('stake', 'payout', 'refund');
