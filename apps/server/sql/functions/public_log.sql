-- The public log. Entries are texts: the first line names the kind, each other one a field, in a fixed order.

-- Writes an entry, once for each subject.
create or replace function public_log.add(kind text, subject text, variadic fields text[]) returns void
language sql
begin atomic
  insert into public_log.entry (subject, text)
  values (kind || ' ' || subject, 'sum28/1 ' || kind || E'\n' || array_to_string(fields, E'\n') || E'\n')
  on conflict do nothing;
end;

create or replace function public_log.seconds(moment timestamptz) returns text
language sql immutable
return floor(extract(epoch from moment))::bigint::text;

-- The rules of a game's rooms that are not in the log yet: changes take effect when a round opens.
create or replace function public_log.note_rules(of_game smallint) returns void
language sql
begin atomic
  select public_log.add('rules', room.id || ' ' || rules_version, 'game=' || game_id, 'room=' || room.id,
    'version=' || rules_version, 'stake_min=' || stake_min, 'stake_max=' || stake_max, 'entry_min=' || entry_min,
    'odds=' || (select string_agg(rule_id || ':' || odds_milli, ',' order by rule_id) from games.odds
      where room_id = room.id))
  from games.room
  where game_id = of_game
    and not exists (select from public_log.entry where subject = 'rules ' || room.id || ' ' || rules_version);
end;

-- Writes an entry, by the trigger that found the fact: a chain; a round, announced at its opening, before its first bet; its
-- closed book, and its void; its draw; and the seed of a voided round, when it may be known.
create or replace function public_log.note() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  case tg_name
    when 'chain_is_logged' then
      perform public_log.add('chain', new.id::text, 'chain=' || new.id, 'game=' || new.game_id, 'length=' || new.length,
        'commitment=' || encode(new.commitment, 'hex'), 'committed_at=' || public_log.seconds(new.committed_at));
    when 'round_is_logged' then
      perform public_log.note_rules(new.game_id);
      perform public_log.add('announcement', new.game_id || ' ' || new.issue, 'game=' || new.game_id,
        'issue=' || new.issue, 'chain=' || new.chain_id, 'index=' || new.chain_index,
        'beacon=' || new.beacon_chain_hash, 'beacon_key=' || new.beacon_public_key,
        'beacon_genesis=' || new.beacon_genesis, 'beacon_period=' || new.beacon_period,
        'beacon_round=' || new.beacon_round, 'opens=' || public_log.seconds(new.opens_at),
        'seals=' || public_log.seconds(new.seals_at), 'draws=' || public_log.seconds(new.draws_at),
        'voids_at=' || public_log.seconds(new.voids_at),
        'rules=' || (select string_agg(id || ':' || rules_version, ',' order by id) from games.room
          where game_id = new.game_id));
    when 'book_is_logged' then
      perform public_log.add('book', new.game_id || ' ' || new.issue, 'game=' || new.game_id, 'issue=' || new.issue,
        'root=' || encode(new.book_root, 'hex'), 'size=' || new.book_size,
        'sealed_at=' || public_log.seconds(new.sealed_at), 'beacon_seen=' || coalesce((select beacon_seen
          from games.house where beacon_seen_chain = new.beacon_chain_hash), 0));
    when 'void_is_logged' then
      perform public_log.add('void', new.game_id || ' ' || new.issue, 'game=' || new.game_id, 'issue=' || new.issue,
        'reason=' || new.void_reason, 'voided_at=' || public_log.seconds(new.voided_at));
    when 'draw_is_logged' then
      perform public_log.add('draw', new.game_id || ' ' || new.issue, 'game=' || new.game_id, 'issue=' || new.issue,
        'beacon_round=' || (select beacon_round from rounds.round
          where round.game_id = new.game_id and round.issue = new.issue),
        'signature=' || encode(new.beacon_signature, 'hex'), 'seed=' || encode(new.seed, 'hex'),
        'digits=' || concat_ws(',', new.digit_1, new.digit_2, new.digit_3));
    when 'seed_is_logged' then
      perform public_log.add('seed', new.game_id || ' ' || new.issue, 'game=' || new.game_id, 'issue=' || new.issue,
        'seed=' || encode(new.seed, 'hex'));
  end case;
  return null;
end
$$;

create or replace trigger chain_is_logged after insert on fairness.chain for each row execute function public_log.note();
-- Its name lets it run after the trigger that begins changes of rules.
create or replace trigger round_is_logged after insert on rounds.round for each row execute function public_log.note();
create or replace trigger book_is_logged after update on rounds.round
  for each row when (old.sealed_at is null and new.sealed_at is not null) execute function public_log.note();
create or replace trigger void_is_logged after update on rounds.round
  for each row when (old.voided_at is null and new.voided_at is not null) execute function public_log.note();
create or replace trigger draw_is_logged after insert on rounds.draw for each row execute function public_log.note();
create or replace trigger seed_is_logged after insert on rounds.voided_seed
  for each row execute function public_log.note();

-- Gives places to entries that have none, in the order of their writing; returns how many the log has then. One
-- process at a time; two of them would give each place once too.
create or replace function public_log.place_entries(entries_max integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  size bigint;
begin
  perform pg_advisory_xact_lock(hashtext('public log'));
  select coalesce(max(position) + 1, 0) into size from public_log.entry;
  update public_log.entry set position = size + place - 1
  from (select id, row_number() over (order by id) as place from public_log.entry
    where position is null order by id limit entries_max) waiting
  where entry.id = waiting.id;
  return (select coalesce(max(position) + 1, 0) from public_log.entry);
end
$$;

-- The change of the log's key, which the key before has signed: once, also if two processes find it.
create or replace function public_log.note_key(variadic fields text[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  changes text[];
begin
  perform pg_advisory_xact_lock(hashtext('public log'));
  select coalesce(array_agg(text order by id), '{}') into changes from public_log.entry where subject like 'key %';
  -- The second field names the key after it.
  if strpos(coalesce(changes[cardinality(changes)], ''), E'\n' || fields[2] || E'\n') = 0 then
    perform public_log.add('key', (cardinality(changes) + 1)::text, variadic fields);
  end if;
end
$$;

-- Stores the root of a full subtree of 256^of_level entries, out of the hashes of the level below; once.
create or replace function public_log.add_node(of_level smallint, of_position bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  start constant bigint := 256 * of_position;
  hashes bytea[];
begin
  hashes := case of_level when 1 then
    array(select sha256('\x00'::bytea || convert_to(text, 'UTF8')) from public_log.entry
      where position >= start and position < start + 256 order by position)
  else
    array(select hash from public_log.node
      where level = of_level - 1 and position >= start and position < start + 256 order by position)
  end;
  if cardinality(hashes) <> 256 then
    raise exception 'subtree % at level % is not full', of_position, of_level using errcode = 'check_violation';
  end if;
  while cardinality(hashes) > 1 loop
    hashes := array(select sha256('\x01'::bytea || hashes[2 * at - 1] || hashes[2 * at])
      from generate_series(1, cardinality(hashes) / 2) at order by at);
  end loop;
  insert into public_log.node (level, position, hash) values (of_level, of_position, hashes[1])
  on conflict do nothing;
end
$$;

-- Stores a signed state. If a witness has signed it before the beacon's value of a round existed, and is the first with
-- that round's book, it marks the round with the witness's time, for ever. All other rounds stay as they are, however
-- many there are: nothing holds up their draws.
create or replace function public_log.add_checkpoint(
  of_origin text, of_size bigint, of_note text, of_witness timestamptz, of_all boolean
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  seen bigint;
begin
  perform pg_advisory_xact_lock(hashtext('public log'));
  -- Rows never change: no state of the log would be stored after it.
  if of_size > (select coalesce(max(position) + 1, 0) from public_log.entry) then
    raise exception 'the log does not have % entries', of_size using errcode = 'check_violation';
  end if;
  select coalesce(max(size), 0) into seen from public_log.checkpoint where witnessed_at is not null;
  -- Of a slower process: a witness has signed a later state, and for each book the first one that is stored counts.
  if of_size < seen then return; end if;
  insert into public_log.checkpoint (origin, size, note, witnessed_at, by_all)
  values (of_origin, of_size, of_note, of_witness, of_all);
  with in_time as (
    select game_id, issue from rounds.round join public_log.entry on subject = 'book ' || game_id || ' ' || issue
    -- A value exists less than one period, which is an hour at most, after its round's end.
    where draws_at > of_witness - interval '1 hour' and of_witness < rounds.value_at(round) and witnessed_at is null
      and position >= seen and position < of_size
    order by game_id, issue for no key update of round
  )
  update rounds.round set witnessed_at = of_witness
  from in_time where round.game_id = in_time.game_id and round.issue = in_time.issue;
end
$$;

-- By the clock of the first witness that signed a log with a round's book, in time or not; null if none has.
create or replace function public_log.book_witnessed_at(of_game smallint, of_issue bigint) returns timestamptz
language sql stable
return (select witnessed_at from public_log.checkpoint
  where witnessed_at is not null
    and size > (select position from public_log.entry where subject = 'book ' || of_game || ' ' || of_issue)
  order by size, id limit 1);

create or replace trigger entry_never_changes before update on public_log.entry for each row
  when (old.position is not null or new.position is null
    or (new.id, new.subject, new.text, new.written_at)
      is distinct from (old.id, old.subject, old.text, old.written_at))
  execute function app.refuse_change();
select app.refuse('delete', 'public_log.entry');
select app.refuse('update or delete', 'public_log.node', 'public_log.checkpoint', 'public_log.witness');

grant update (asks_witnesses) on public_log.name to sum28_jobs;
grant select on public_log.checkpoint, public_log.entry, public_log.name, public_log.node, public_log.witness to
  sum28_api, sum28_jobs;
grant insert on public_log.witness to sum28_jobs;
grant execute on function public_log.book_witnessed_at to sum28_api;
grant execute on function public_log.add_checkpoint, public_log.add_node, public_log.note_key, public_log.place_entries
  to sum28_jobs;
