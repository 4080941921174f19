-- The life of a round: open, sealed, drawn, settled; or voided. And its draw.

-- States only go forward, and what was announced never changes.
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

create or replace trigger round_guarded before update on rounds.round
  for each row execute function rounds.guard_round();

create or replace trigger round_never_deleted before delete on rounds.round
  for each row execute function app.refuse_change();

create or replace trigger round_never_truncated before truncate on rounds.round
  for each statement execute function app.refuse_change();

create or replace trigger draw_never_changes before update or delete on rounds.draw
  for each row execute function app.refuse_change();

create or replace trigger draw_never_truncated before truncate on rounds.draw
  for each statement execute function app.refuse_change();

-- Opens a round with the next seed of a chain. False when it is there already.
create or replace function rounds.open(
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

-- Ends betting. Bets take the same row lock, so what they have recorded is in the book, and what
-- comes later finds the round sealed. False when it was sealed before or it is not time.
create or replace function rounds.seal(game_id smallint, issue bigint) returns boolean
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

-- The same of every way to a draw, the owner's too: a row that is inserted by hand is refused.
create or replace function rounds.guard_draw() returns trigger
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

create or replace trigger draw_guarded before insert on rounds.draw
  for each row execute function rounds.guard_draw();

-- Also a round that is drawn after one that followed it: the day's later candles move with it.
create or replace function rounds.add_candle() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  day date;
  opening integer;
begin
  -- Two draws of a game never overlook each other.
  perform pg_advisory_xact_lock(hashtext('rounds.candle'), new.game_id);
  select game_day into day from rounds.round
  where round.game_id = new.game_id and round.issue = new.issue;
  select opened + 2 * total - 27 into opening
  from rounds.candle join rounds.draw using (game_id, issue)
  where candle.game_id = new.game_id and game_day = day and candle.issue < new.issue
  order by candle.issue desc limit 1;
  insert into rounds.candle (game_id, game_day, issue, opened)
  values (new.game_id, day, new.issue, coalesce(opening, 0));
  update rounds.candle set opened = opened + 2 * new.total - 27
  where game_id = new.game_id and game_day = day and issue > new.issue;
  return null;
end
$$;

create or replace trigger draw_has_candle after insert on rounds.draw
  for each row execute function rounds.add_candle();

create or replace function rounds.count_result() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into rounds.day (game_id, game_day, results) values (new.game_id, new.game_day, 1)
  on conflict (game_id, game_day) do update set results = day.results + 1;
  return null;
end
$$;

create or replace trigger round_result_counted after update on rounds.round
  for each row
  when (old.state in ('open', 'sealed') and new.state in ('drawn', 'voided'))
  execute function rounds.count_result();

-- What the application may do.
revoke all on all tables in schema rounds from sum28_application;
revoke execute on all functions in schema rounds from public, sum28_application;
grant usage on schema rounds to sum28_application;
grant select on rounds.candle, rounds.day, rounds.draw, rounds.round to sum28_application;
grant execute on function rounds.close_book, rounds.draw, rounds.open, rounds.seal, rounds.void to
  sum28_application;
