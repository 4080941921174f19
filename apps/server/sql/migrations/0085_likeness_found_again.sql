-- A likeness is found again after it was decided: the other player may have excluded himself anew since.
drop index protection.likeness_once;
create unique index likeness_once on protection.exclusion (player_id, like_player, like_in)
  where kind = 'likeness' and decided_at is null;
