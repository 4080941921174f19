-- The list of the rounds of all games by their end, page by page. Each row of it is named by one number.
create index round_of_all_by_time on rounds.round (draws_at desc, (issue * 1000 + game_id) desc);
-- The few that are not over, and those that were voided, among all others.
create index round_not_over_of_all on rounds.round (draws_at desc, (issue * 1000 + game_id) desc)
  where state in ('open', 'sealed', 'drawn');
create index round_voided_of_all on rounds.round (draws_at desc, (issue * 1000 + game_id) desc)
  where state = 'voided';
