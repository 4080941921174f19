-- Changes of a room's limits and odds: proposed by one person, confirmed by another, effective from the
-- next round of the game on.

create table console_games.room_change (
  id integer generated always as identity primary key,
  room_id integer not null references games.room,
  -- The room's rules_version that the proposal was made from. The change is made only while it is that.
  base_version integer not null,
  -- The limits before and after, in micro-units, as in games.room.
  stake_min_before bigint not null,
  stake_max_before bigint not null,
  entry_min_before bigint not null,
  stake_min bigint not null check (stake_min > 0),
  stake_max bigint not null,
  entry_min bigint not null check (entry_min >= 0),
  note text not null,
  state text not null default 'proposed'
    check (state in ('proposed', 'confirmed', 'effective', 'refused', 'withdrawn')),
  proposed_by integer not null references staff.member,
  proposed_at timestamptz not null,
  confirmed_by integer references staff.member,
  confirmed_at timestamptz,
  -- Who refused or withdrew it.
  ended_by integer references staff.member,
  ended_at timestamptz,
  -- The first round that is played by it, and when that round was opened.
  effective_issue bigint,
  effective_at timestamptz,
  check (stake_max >= stake_min),
  constraint two_persons check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check ((ended_by is null) = (ended_at is null)),
  check ((state in ('refused', 'withdrawn')) = (ended_at is not null)),
  check (state not in ('confirmed', 'effective') or confirmed_at is not null),
  check ((state = 'effective') = (effective_at is not null)),
  check ((effective_at is null) = (effective_issue is null))
);
comment on table console_games.room_change is 'Changes of rooms'' limits and odds: proposed, decided, effective. The history of them.';
comment on column console_games.room_change.base_version is 'The rules_version of the room that the proposal was made from.';

-- At most one change of a room waits.
create unique index room_change_waiting on console_games.room_change (room_id)
  where state in ('proposed', 'confirmed');
create index room_change_by_room on console_games.room_change (room_id, id);

create table console_games.odds_change (
  change_id integer not null references console_games.room_change,
  rule_id smallint not null references games.rule,
  -- Decimal odds in thousandths.
  odds_before integer not null,
  odds_milli integer not null check (odds_milli > 0),
  primary key (change_id, rule_id)
);
comment on table console_games.odds_change is 'The odds that a change of a room replaces, in thousandths.';
