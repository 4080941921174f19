-- A player is told, once, when a higher limit that he asked for may be confirmed.

-- When the higher limit was asked for that he was told of.
alter table protection.player_limit add column raise_told_for timestamptz;
create index player_limit_raise on protection.player_limit (raise_asked_at) where raise_asked_at is not null;
