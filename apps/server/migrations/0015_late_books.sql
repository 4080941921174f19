-- A book that is closed late voids its round, and a round says by which clock its beacon runs and
-- until when its value is waited for.

-- With these two anybody can reckon that the announced beacon round is the first at or after the
-- round's end. Null only in rounds that were opened before they were kept.
alter table rounds.round
  add column beacon_genesis bigint check (beacon_genesis >= 0),
  add column beacon_period integer check (beacon_period > 0),
  -- From here on, and not before, it may be voided because the beacon's value has not come. Announced
  -- with the rest, so that nobody who knows a result can choose to void it.
  add column voids_at timestamptz check (voids_at > draws_at);
alter table rounds.round
  add check ((beacon_genesis is null) = (beacon_period is null)),
  add constraint beacon_round_is_first_after_end check (
    beacon_genesis is null or (
      to_timestamp(beacon_genesis + (beacon_round - 1) * beacon_period) >= draws_at
      and to_timestamp(beacon_genesis + (beacon_round - 2) * beacon_period) < draws_at)),
  drop constraint round_void_reason_check,
  add constraint round_void_reason_check
    check (void_reason in ('beacon_late', 'missed', 'sealed_late'));

-- As before, and the beacon's clock and the book's time are among what never changes.
create or replace function rounds.guard_round() returns trigger
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
      new.beacon_scheme, new.beacon_round, new.beacon_genesis, new.beacon_period, new.voids_at)
    is distinct from
     (old.game_id, old.issue, old.game_day, old.number, old.opens_at, old.seals_at, old.draws_at,
      old.chain_id, old.chain_index, old.beacon_kind, old.beacon_chain_hash, old.beacon_public_key,
      old.beacon_scheme, old.beacon_round, old.beacon_genesis, old.beacon_period, old.voids_at)
    or (old.book_root is not null and (new.book_root, new.book_size, new.book_closed_at)
      is distinct from (old.book_root, old.book_size, old.book_closed_at))
    or (old.sealed_at is not null and new.sealed_at is distinct from old.sealed_at)
    or (old.settled_at is not null and new.settled_at is distinct from old.settled_at)
    or (old.voided_at is not null and (new.voided_at, new.void_reason)
      is distinct from (old.voided_at, old.void_reason))
  then
    raise exception 'what was announced of round % of game % never changes', old.issue, old.game_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

-- Opens a round with the next seed of a chain. False when it is there already.
drop function rounds.open(smallint, bigint, date, integer, timestamptz, timestamptz, timestamptz,
  integer, text, text, text, text, bigint);
create function rounds.open(
  game_id smallint, issue bigint, game_day date, number integer,
  opens_at timestamptz, seals_at timestamptz, draws_at timestamptz, chain_id integer,
  beacon_kind text, beacon_chain_hash text, beacon_public_key text, beacon_scheme text,
  beacon_genesis bigint, beacon_period integer, beacon_round bigint, voids_at timestamptz default null
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  next_index integer;
begin
  if beacon_genesis is null or beacon_period is null then
    raise exception 'a round is not opened without its beacon''s clock';
  end if;
  -- Where another process was first, its round stands, and the seed is given back with the rest.
  begin
    update fairness.chain set used = used + 1
    where chain.id = chain_id and chain.game_id = game_id and used < length
    returning used into next_index;
    if next_index is null then
      raise exception 'chain % has no seed left for game %', chain_id, game_id;
    end if;
    insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id,
      chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis,
      beacon_period, beacon_round, voids_at)
    values (game_id, issue, game_day, number, opens_at, seals_at, draws_at, chain_id,
      next_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis,
      beacon_period, beacon_round, voids_at);
  exception when unique_violation then
    return false;
  end;
  return true;
end
$$;

-- Publishes the closed book of a sealed round, once, and only while nobody can know the beacon's value.
create or replace function rounds.close_book(
  game_id smallint, issue bigint, book_root bytea, book_size integer
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  moment timestamptz;
begin
  -- The time is read once the row is held: whoever held it may have taken long.
  perform from rounds.round where round.game_id = game_id and round.issue = issue for update;
  moment := app.now();
  update rounds.round set book_root = book_root, book_size = book_size, book_closed_at = moment
  where round.game_id = game_id and round.issue = issue and state = 'sealed'
    and round.book_root is null and moment < draws_at;
  return found;
end
$$;

-- Stores the draw of a round whose book was closed before its end; once, and not before its time.
create or replace function rounds.draw(
  game_id smallint, issue bigint, seed bytea, beacon_signature bytea, randomness bytea, digits smallint[]
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  ready boolean;
begin
  select state = 'sealed' and book_root is not null and book_closed_at < draws_at
    and app.now() >= draws_at into ready
  from rounds.round where round.game_id = game_id and round.issue = issue for update;
  if ready is not true then return false; end if;
  insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
  values (game_id, issue, seed, beacon_signature, randomness, digits[1], digits[2], digits[3]);
  update rounds.round set state = 'drawn' where round.game_id = game_id and round.issue = issue;
  return true;
end
$$;

-- The same of every way to a draw, the owner's too: a row that is inserted by hand is refused.
create function rounds.guard_draw() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (
    select from rounds.round
    where round.game_id = new.game_id and round.issue = new.issue and state = 'sealed'
      and book_root is not null and book_closed_at < draws_at)
  then
    raise exception 'round % of game % has no book that was closed in time, and is not drawn', new.issue, new.game_id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger draw_guarded before insert on rounds.draw
  for each row execute function rounds.guard_draw();

-- Voids a round that cannot be drawn. Its stakes are returned by bets.refund. False where it is not
-- time, for 'beacon_late' before the announced end of waiting, and for 'sealed_late' where the book was
-- closed in time.
create or replace function rounds.void(game_id smallint, issue bigint, reason text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  perform from rounds.round where round.game_id = game_id and round.issue = issue for update;
  update rounds.round set state = 'voided', voided_at = app.now(), void_reason = reason
  where round.game_id = game_id and round.issue = issue and state in ('open', 'sealed')
    and app.now() >= draws_at
    and (reason <> 'beacon_late' or app.now() >= coalesce(voids_at, draws_at))
    and (reason <> 'sealed_late' or book_closed_at is null or book_closed_at >= draws_at);
  return found;
end
$$;

revoke execute on function rounds.open, rounds.guard_draw from public;
grant execute on function rounds.open to sum28_application;
