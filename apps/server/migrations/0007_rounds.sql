-- The life of a round: open, sealed, drawn, settled; or voided. And its draw.

create schema rounds;
grant usage on schema rounds to sum28_application;

create table rounds.round (
  game_id smallint not null references games.game,
  -- The game day's date and the number within it: 20261120001.
  issue bigint not null,
  game_day date not null,
  number integer not null check (number > 0),
  opens_at timestamptz not null,
  seals_at timestamptz not null,
  draws_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'sealed', 'drawn', 'settled', 'voided')),
  -- What decides the draw, fixed before the first bet.
  chain_id integer not null references fairness.chain,
  chain_index integer not null check (chain_index > 0),
  beacon_kind text not null check (beacon_kind in ('drand', 'local')),
  beacon_chain_hash text not null,
  beacon_public_key text not null,
  beacon_scheme text not null,
  beacon_round bigint not null check (beacon_round > 0),
  -- The closed book: root and size of the tree over the accepted bets.
  book_root bytea check (octet_length(book_root) = 32),
  book_size integer check (book_size >= 0),
  sealed_at timestamptz,
  book_closed_at timestamptz,
  -- When every bet of it was paid, lost or refunded.
  settled_at timestamptz,
  voided_at timestamptz,
  void_reason text check (void_reason in ('beacon_late', 'missed')),
  primary key (game_id, issue),
  constraint one_seed_a_round unique (chain_id, chain_index),
  check (opens_at < seals_at and seals_at < draws_at),
  check ((book_root is null) = (book_size is null)),
  check ((voided_at is null) = (void_reason is null))
);
create index round_unfinished on rounds.round (game_id, issue) where settled_at is null;
create index round_by_time on rounds.round (game_id, draws_at desc);
create index round_by_day on rounds.round (game_id, game_day, issue desc);

create function rounds.guard_round() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (old.state, new.state) not in (
    ('open', 'open'), ('open', 'sealed'), ('open', 'voided'),
    ('sealed', 'sealed'), ('sealed', 'drawn'), ('sealed', 'voided'),
    ('drawn', 'drawn'), ('drawn', 'settled'), ('settled', 'settled'), ('voided', 'voided'))
  then
    raise exception 'round % of game % cannot go from % to %', old.issue, old.game_id, old.state, new.state
      using errcode = 'restrict_violation';
  end if;
  if (new.game_id, new.issue, new.game_day, new.number, new.opens_at, new.seals_at, new.draws_at,
      new.chain_id, new.chain_index, new.beacon_kind, new.beacon_chain_hash, new.beacon_public_key,
      new.beacon_scheme, new.beacon_round)
    is distinct from
     (old.game_id, old.issue, old.game_day, old.number, old.opens_at, old.seals_at, old.draws_at,
      old.chain_id, old.chain_index, old.beacon_kind, old.beacon_chain_hash, old.beacon_public_key,
      old.beacon_scheme, old.beacon_round)
    or (old.book_root is not null and (new.book_root, new.book_size) is distinct from (old.book_root, old.book_size))
    or (old.sealed_at is not null and new.sealed_at is distinct from old.sealed_at)
    or (old.settled_at is not null and new.settled_at is distinct from old.settled_at)
    or (old.voided_at is not null and new.voided_at is distinct from old.voided_at)
  then
    raise exception 'what was announced of round % of game % never changes', old.issue, old.game_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger round_guarded before update on rounds.round
  for each row execute function rounds.guard_round();
create trigger round_never_deleted before delete on rounds.round
  for each row execute function app.refuse_change();
create trigger round_never_truncated before truncate on rounds.round
  for each statement execute function app.refuse_change();

create table rounds.draw (
  game_id smallint not null,
  issue bigint not null,
  seed bytea not null check (octet_length(seed) = 32),
  beacon_signature bytea not null,
  randomness bytea not null check (octet_length(randomness) = 32),
  digit_1 smallint not null check (digit_1 between 0 and 9),
  digit_2 smallint not null check (digit_2 between 0 and 9),
  digit_3 smallint not null check (digit_3 between 0 and 9),
  total smallint not null generated always as (digit_1 + digit_2 + digit_3) stored,
  drawn_at timestamptz not null default app.now(),
  primary key (game_id, issue),
  foreign key (game_id, issue) references rounds.round
);
create trigger draw_never_changes before update or delete on rounds.draw
  for each row execute function app.refuse_change();
create trigger draw_never_truncated before truncate on rounds.draw
  for each statement execute function app.refuse_change();

-- Opens a round with the next seed of a chain. False when it is there already.
create function rounds.open(
  game_id smallint, issue bigint, game_day date, number integer,
  opens_at timestamptz, seals_at timestamptz, draws_at timestamptz, chain_id integer,
  beacon_kind text, beacon_chain_hash text, beacon_public_key text, beacon_scheme text, beacon_round bigint
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  next_index integer;
begin
  -- Where another process was first, its round stands, and the seed is given back with the rest.
  begin
    update fairness.chain set used = used + 1
    where chain.id = chain_id and chain.game_id = game_id and used < length
    returning used into next_index;
    if next_index is null then
      raise exception 'chain % has no seed left for game %', chain_id, game_id;
    end if;
    insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id,
      chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_round)
    values (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id,
      next_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_round);
  exception when unique_violation then
    return false;
  end;
  return true;
end
$$;

-- Ends betting. Bets take the same row lock, so what they have recorded is in the book, and what
-- comes later finds the round sealed. False when it was sealed before or it is not time.
create function rounds.seal(game_id smallint, issue bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  due boolean;
begin
  select state = 'open' and app.now() >= seals_at into due
  from rounds.round where round.game_id = game_id and round.issue = issue for update;
  if due is not true then return false; end if;
  update rounds.round set state = 'sealed', sealed_at = app.now()
  where round.game_id = game_id and round.issue = issue;
  return true;
end
$$;

-- Publishes the closed book of a sealed round, once.
create function rounds.close_book(game_id smallint, issue bigint, book_root bytea, book_size integer)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  update rounds.round set book_root = book_root, book_size = book_size, book_closed_at = app.now()
  where round.game_id = game_id and round.issue = issue and state = 'sealed' and round.book_root is null;
  return found;
end
$$;

-- Stores the draw of a sealed round whose book is closed, once, and not before its time.
create function rounds.draw(
  game_id smallint, issue bigint, seed bytea, beacon_signature bytea, randomness bytea, digits smallint[]
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  ready boolean;
begin
  select state = 'sealed' and book_root is not null and app.now() >= draws_at into ready
  from rounds.round where round.game_id = game_id and round.issue = issue for update;
  if ready is not true then return false; end if;
  insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
  values (game_id, issue, seed, beacon_signature, randomness, digits[1], digits[2], digits[3]);
  update rounds.round set state = 'drawn' where round.game_id = game_id and round.issue = issue;
  return true;
end
$$;

-- Voids a round that cannot be drawn. Its stakes are returned by bets.refund.
create function rounds.void(game_id smallint, issue bigint, reason text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  perform from rounds.round where round.game_id = game_id and round.issue = issue for update;
  update rounds.round set state = 'voided', voided_at = app.now(), void_reason = reason
  where round.game_id = game_id and round.issue = issue and state in ('open', 'sealed')
    and app.now() >= draws_at;
  return found;
end
$$;

revoke execute on all functions in schema rounds from public;
grant execute on function rounds.open, rounds.seal, rounds.close_book, rounds.draw, rounds.void
  to sum28_application;
grant select on rounds.round, rounds.draw to sum28_application;
