-- The console's area games: changes of a room's limits and odds.
--
-- Every function that makes, decides or applies a change locks the row of its room first.

-- The allowed range of games.odds also applies to proposed odds.
create or replace trigger odds_return before insert or update on console_games.odds_change
  for each row execute function games.check_return();

-- A finished change never changes, and none is deleted.
create or replace trigger room_change_kept before update on console_games.room_change
  for each row when (old.state in ('effective', 'refused', 'withdrawn'))
  execute function app.refuse_change();

create or replace trigger room_change_never_deleted before delete on console_games.room_change
  for each row execute function app.refuse_change();

create or replace trigger room_change_never_truncated before truncate on console_games.room_change
  for each statement execute function app.refuse_change();

create or replace trigger odds_change_kept before update or delete on console_games.odds_change
  for each row execute function app.refuse_change();

create or replace trigger odds_change_never_truncated before truncate on console_games.odds_change
  for each statement execute function app.refuse_change();

-- Proposes a change of a room that is at this version. Null or equal values are not changed. Answers 'proposed',
-- not_found, rules_changed or already_proposed.
create or replace function console_games.propose_change(of_room integer, of_version integer, new_stake_min bigint,
  new_stake_max bigint, new_entry_min bigint, rule_ids smallint[], odds_milli integer[], why text, by_session text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  locked_room games.room;
  made integer;
begin
  select * into locked_room from games.room where id = of_room for no key update;
  if locked_room.id is null then return 'not_found'; end if;
  if locked_room.rules_version <> of_version then return 'rules_changed'; end if;
  if exists (select from console_games.room_change
      where room_id = of_room and state in ('proposed', 'confirmed')) then
    return 'already_proposed';
  end if;
  insert into console_games.room_change (room_id, base_version, stake_min_before, stake_max_before,
    entry_min_before, stake_min, stake_max, entry_min, note, proposed_by, proposed_at)
  values (of_room, of_version, locked_room.stake_min, locked_room.stake_max, locked_room.entry_min,
    coalesce(new_stake_min, locked_room.stake_min), coalesce(new_stake_max, locked_room.stake_max),
    coalesce(new_entry_min, locked_room.entry_min), why, by_staff, app.now())
  returning id into made;
  insert into console_games.odds_change (change_id, rule_id, odds_before, odds_milli)
  select made, odds.rule_id, odds.odds_milli, wanted.milli
  from unnest(rule_ids, odds_milli) as wanted (rule_id, milli)
  join games.odds on odds.room_id = of_room and odds.rule_id = wanted.rule_id
  where odds.odds_milli <> wanted.milli;
  return 'proposed';
end
$$;

-- Locks the room of a change, and then returns the change; a row of nulls if there is none.
create or replace function console_games.lock_change(of_change integer) returns console_games.room_change
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  change console_games.room_change;
begin
  perform from games.room
  where id = (select room_id from console_games.room_change where id = of_change) for no key update;
  -- Read after the wait for the lock.
  select * into change from console_games.room_change where id = of_change;
  return change;
end
$$;

-- Confirms a change that another person has proposed: it takes effect when the next round opens. Answers 'confirmed',
-- not_found, decided, same_person or rules_changed.
create or replace function console_games.confirm_change(of_change integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  change console_games.room_change := console_games.lock_change(of_change);
begin
  if change.id is null then return 'not_found'; end if;
  if change.state <> 'proposed' then return 'decided'; end if;
  if change.proposed_by = by_staff then return 'same_person'; end if;
  if change.base_version <> (select rules_version from games.room where id = change.room_id) then
    return 'rules_changed';
  end if;
  update console_games.room_change
  set state = 'confirmed', confirmed_by = by_staff, confirmed_at = app.now() where id = of_change;
  return 'confirmed';
end
$$;

-- Ends a change that is not effective yet: its proposer withdraws it, another person refuses it. Answers 'withdrawn',
-- 'refused', not_found or decided.
create or replace function console_games.end_change(of_change integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  change console_games.room_change := console_games.lock_change(of_change);
  becomes text;
begin
  if change.id is null then return 'not_found'; end if;
  if change.state not in ('proposed', 'confirmed') then return 'decided'; end if;
  becomes := case when change.proposed_by = by_staff then 'withdrawn' else 'refused' end;
  update console_games.room_change
  set state = becomes, ended_by = by_staff, ended_at = app.now() where id = of_change;
  return becomes;
end
$$;

-- When a round opens, its game's confirmed changes take effect, in one transaction: a reader who sees the round sees
-- its terms. A change that was confirmed when the round should already have been open waits for the next one. Betting
-- on the previous round has ended by then.
create or replace function console_games.begin_changes() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  due console_games.room_change;
  begun console_games.odds_change;
begin
  perform from games.room
  where game_id = new.game_id and id in (select room_id from console_games.room_change where state = 'confirmed')
  order by id for no key update;
  -- Read after the wait for the locks.
  for due in
    select change.* from console_games.room_change change join games.room on room.id = room_id
    where room.game_id = new.game_id and state = 'confirmed' and confirmed_at < new.opens_at
      and room.rules_version = change.base_version
    order by room_id
  loop
    update games.room
    set stake_min = due.stake_min, stake_max = due.stake_max, entry_min = due.entry_min,
      rules_version = rules_version + 1
    where id = due.room_id;
    for begun in select * from console_games.odds_change where change_id = due.id loop
      update games.odds set odds_milli = begun.odds_milli
      where room_id = due.room_id and rule_id = begun.rule_id;
    end loop;
    update console_games.room_change
    set state = 'effective', effective_issue = new.issue, effective_at = app.now() where id = due.id;
  end loop;
  return null;
end
$$;

create or replace trigger round_begins_changes after insert on rounds.round
  for each row execute function console_games.begin_changes();

-- What each part of the product may do.
grant usage on schema console_games to sum28_api, sum28_jobs;
grant select on console_games.room_change to sum28_api, sum28_jobs;
grant select on console_games.odds_change to sum28_api;
grant execute on function console_games.confirm_change, console_games.end_change, console_games.propose_change to
  sum28_api;
