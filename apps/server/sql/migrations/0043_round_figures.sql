-- The figures of each finished round, counted once, so that no page adds up a day's bets.

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

create table console_start.day_player (
  game_day date not null,
  player_id integer not null,
  primary key (game_day, player_id)
);

comment on table console_start.round_figure is
  'What players and robots staked and were paid in a finished round, by room; room 0 is all of them.';
comment on table console_start.day_player is 'Which players had a settled bet on a game day.';
