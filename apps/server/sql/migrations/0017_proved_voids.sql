-- A void is proved to the database, and what would have been is told.

-- A round's beacon value, from the moment that it is known here. A round that has one in time can only
-- be drawn; one that was voided shows with it what the draw would have been.
create table rounds.value (
  game_id smallint not null,
  issue bigint not null,
  beacon_signature bytea not null,
  randomness bytea not null,
  stored_at timestamptz not null,
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round,
  constraint randomness_is_of_signature check (randomness = sha256(beacon_signature))
);

-- The seed of a voided round, once it is told.
create table rounds.voided_seed (
  game_id smallint not null,
  issue bigint not null,
  seed bytea not null check (octet_length(seed) = 32),
  told_at timestamptz not null,
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round
);
create index round_voided on rounds.round (game_id, voided_at) where state = 'voided';

alter table rounds.round
  drop constraint round_void_reason_check,
  add constraint round_void_reason_check
    check (void_reason in ('beacon_late', 'sealed_late', 'two_persons'));

-- A void that two people decide on before anybody can know the result.
create table rounds.void_proposal (
  game_id smallint not null,
  issue bigint not null,
  note text not null,
  proposed_by integer not null references staff.member,
  proposed_at timestamptz not null,
  confirmed_by integer references staff.member,
  confirmed_at timestamptz,
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round,
  constraint void_by_two check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null))
);
