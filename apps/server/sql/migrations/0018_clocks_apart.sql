-- A stop of its own kind: the database's clock and the beacon's disagree, so a bet could follow from a
-- value that is public. Null while they agree.
alter table games.house add column clocks_apart_since timestamptz;
