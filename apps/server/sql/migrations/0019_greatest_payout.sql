-- The greatest payout of a player and round, and what an order's judgement needs of it.

-- The most that all bets of one player in one round of a game may pay together, in micro-units. The
-- owner writes it when the product starts.
alter table games.house add column payout_max bigint not null default 1000000000000
  constraint payout_max_positive check (payout_max > 0);

-- What the player's bets of the round up to this one would pay if every selection hit: never less than
-- they can pay. Null in bets from before it was kept.
alter table bets.bet add column could_pay bigint not null check (could_pay >= 0);

-- It answers more now.
drop function if exists bets.place(jsonb);
