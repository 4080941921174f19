-- The four games, their rooms, and each room's odds.

-- The four rules that a sum hits.
create or replace function games.winning_rules(total integer) returns smallint[]
language sql immutable
return array[
  case when total >= 14 then 1 else 2 end,
  case when total % 2 = 1 then 3 else 4 end,
  case when total >= 14 then 11 else 13 end + case when total % 2 = 1 then 0 else 1 end,
  400 + total]::smallint[];

-- Raises an error if odds, in thousandths, return too little or too much.
create or replace function games.check_odds(of_rule smallint, odds_milli integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  ppm constant bigint := (select odds_milli::bigint * ways from games.rule where id = of_rule);
begin
  if (ppm between 750000 and 1000000) is not true then
    raise exception 'odds of % thousandths on rule % return % millionths: allowed are 750000 to 1000000',
      odds_milli, of_rule, ppm using errcode = 'check_violation', constraint = 'odds_return';
  end if;
end
$$;

create or replace function games.check_return() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform games.check_odds(new.rule_id, new.odds_milli);
  return new;
end
$$;

create or replace trigger odds_return before insert or update on games.odds
  for each row execute function games.check_return();

create or replace function games.count_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.changes := old.changes + 1;
  return new;
end
$$;

create or replace trigger house_counts_changes before update of stopped, clocks_apart_since on games.house
  for each row when ((old.stopped, old.clocks_apart_since is null)
    is distinct from (new.stopped, new.clocks_apart_since is null))
  execute function games.count_change();

create or replace trigger game_counts_changes before update on games.game
  for each row when (old.* is distinct from new.*) execute function games.count_change();

create or replace trigger room_counts_changes before update on games.room
  for each row when (old.* is distinct from new.*) execute function games.count_change();

select app.refuse('delete or update of id, game_id', 'games.room');

-- Stops or opens a room, a game or all betting; the caller has the lock of stops. False if there is no such room or game.
create or replace function games.set_stopped(of_scope text, of_id integer, is_stopped boolean) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  case of_scope
    when 'all' then update games.house set stopped = is_stopped;
    when 'game' then update games.game set stopped = is_stopped where id = of_id;
    when 'room' then update games.room set stopped = is_stopped where id = of_id;
  end case;
  return found;
end
$$;

-- Stops a room, a game or all betting. Another call changes the reason. It waits for running bets, and each later bet
-- sees the stop. False if there is no such room or game.
create or replace function games.make_stop(of_scope text, of_id integer, why text, more text, member integer)
returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('games.stop'));
  if not games.set_stopped(of_scope, of_id, true) then return false; end if;
  insert into games.stop (scope, subject_id, reason, note, stopped_by, stopped_at)
  values (of_scope, of_id, why, more, member, app.now())
  on conflict (scope, subject_id) do update
  set id = default, reason = excluded.reason, note = excluded.note, stopped_by = excluded.stopped_by,
    stopped_at = excluded.stopped_at, planned_stop = null;
  return true;
end
$$;

-- The same by the acting member of staff.
create or replace function games.stop_betting(of_scope text, of_id integer, why text, more text, by_session text)
returns boolean
language sql security definer set search_path = pg_catalog, pg_temp
return games.make_stop(of_scope, of_id, why, more, staff.acting(by_session, 'owner', 'finance', 'support'));

-- Ends one stop; the other stops stay as they are. Answers 'open', not_found, not_stopped, or decided: it is not the stop
-- that was seen (null: one without a reason).
create or replace function games.open_betting(of_scope text, of_id integer, seen integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  was boolean;
begin
  perform staff.acting(by_session, 'owner');
  perform pg_advisory_xact_lock(hashtext('games.stop'));
  case of_scope
    when 'all' then select stopped into was from games.house;
    when 'game' then select stopped into was from games.game where id = of_id;
    when 'room' then select stopped into was from games.room where id = of_id;
  end case;
  if was is null then return 'not_found'; end if;
  if not was then return 'not_stopped'; end if;
  if seen is distinct from (select id from games.stop where scope = of_scope and subject_id = of_id) then
    return 'decided';
  end if;
  perform games.set_stopped(of_scope, of_id, false);
  delete from games.stop where scope = of_scope and subject_id = of_id;
  -- Players are told of a planned stop until it is over.
  update games.planned_stop set state = 'over'
  where scope = of_scope and subject_id = of_id and state = 'begun';
  return 'open';
end
$$;

-- Plans a stop. Returns its number; null if there is no such room or game.
create or replace function games.plan_stop(of_scope text, of_id integer, begins timestamptz, ends timestamptz, told text,
  by_session text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  made integer;
begin
  if of_scope = 'game' and not exists (select from games.game where id = of_id)
    or of_scope = 'room' and not exists (select from games.room where id = of_id)
  then
    return null;
  end if;
  insert into games.planned_stop (scope, subject_id, begins_at, ends_at, told, planned_by)
  values (of_scope, of_id, begins, ends, told, by_staff) returning id into made;
  return made;
end
$$;

-- Cancels a planned stop that has not begun. Answers 'cancelled', not_found, or decided.
create or replace function games.cancel_planned_stop(of_plan integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner');
  update games.planned_stop set state = 'over' where id = of_plan and state = 'planned';
  if found then return 'cancelled'; end if;
  return case when exists (select from games.planned_stop where id = of_plan) then 'decided' else 'not_found' end;
end
$$;

-- Begins and ends the planned stops that are due, once the clocks agree: until then no bet is taken. One that would
-- begin while the same is stopped makes no stop, and none ends a stop that a person has made or changed since. What ends
-- while another plan for the same runs stays stopped, by that plan. Returns the games in which something changed.
create or replace function games.keep_planned_stops() returns setof smallint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz := app.now();
  due games.planned_stop;
begin
  if not exists (select from games.planned_stop
    where state <> 'over' and case state when 'planned' then begins_at else ends_at end <= moment)
  then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('games.stop'));
  if (select games.clocks_apart(house) from games.house) then return; end if;
  moment := app.now();
  for due in select * from games.planned_stop
    where state <> 'over' and case state when 'planned' then begins_at else ends_at end <= moment
    order by id for update
  loop
    if due.ends_at > moment then
      update games.planned_stop set state = 'begun' where id = due.id;
      insert into games.stop (scope, subject_id, reason, note, stopped_by, stopped_at, planned_stop)
      values (due.scope, due.subject_id, 'maintenance', due.told, due.planned_by, moment, due.id)
      on conflict do nothing;
    else
      update games.planned_stop set state = 'over' where id = due.id;
      update games.stop set id = default, planned_stop = running.id, note = running.told, stopped_by = running.planned_by
      from games.planned_stop running
      where planned_stop = due.id and (running.scope, running.subject_id) = (due.scope, due.subject_id)
        and running.state <> 'over' and running.begins_at <= moment and running.ends_at > moment;
      continue when found;
      delete from games.stop where planned_stop = due.id;
    end if;
    continue when not found;
    perform games.set_stopped(due.scope, due.subject_id, due.ends_at > moment);
    perform staff.write_audit(due.planned_by, null,
      case when due.ends_at > moment then 'betting_stopped' else 'betting_opened' end,
      case due.scope when 'all' then 'betting' else due.scope || ':' || due.subject_id end,
      jsonb_build_object('planned_stop', due.id, 'note', due.told));
    return query select id from games.game where due.scope = 'all' or due.scope = 'game' and id = due.subject_id
      or due.scope = 'room' and id = (select game_id from games.room where room.id = due.subject_id);
  end loop;
end
$$;

-- Whether betting is stopped because the clocks of database and beacon disagree, or because no comparison has found
-- for 30 s that they agree, for example because the engine is down. The time is that of the machine: the clock of a
-- test, which jumps, makes no comparison old.
create or replace function games.clocks_apart(house games.house) returns boolean
language sql set search_path = pg_catalog, pg_temp
return house.clocks_apart_since is not null or coalesce(
  clock_timestamp() not between house.clocks_compared_at and house.clocks_compared_at + interval '30 seconds', false);

-- Notes the result of a comparison of the database's clock with the beacon's; null if there was none. All betting
-- stops if they are apart or were not compared for 30 s, and opens again because they agree: by a comparison that began,
-- by the machine's clock, after the last result. An older one is of a process that no longer leads. Stops made by staff
-- are not changed. It waits for running bets, and each later bet sees it. The newest value that was verified is stored
-- too. Returns whether this changed anything.
create or replace function games.set_clocks_apart(apart boolean, seen bigint default null, seen_chain text default null,
  began timestamptz default clock_timestamp()) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  was boolean;
  is_apart boolean;
begin
  perform pg_advisory_xact_lock(hashtext('games.stop'));
  -- A last result at a time that is not there yet is of a clock that was ahead.
  if not apart and (began is null or exists (
    select from games.house where clocks_compared_at between began and clock_timestamp()))
  then
    return false;
  end if;
  select games.clocks_apart(house) into was from games.house;
  update games.house set
    -- By a clock that was set back, an older value is found than before.
    beacon_seen = case when apart and seen_chain = beacon_seen_chain then greatest(seen, beacon_seen)
      else coalesce(seen, beacon_seen) end,
    beacon_seen_chain = case when seen is null then beacon_seen_chain else seen_chain end,
    clocks_compared_at = case when apart then clock_timestamp()
      when not apart then began else coalesce(clocks_compared_at, clock_timestamp()) end,
    clocks_apart_since = case when apart or was and apart is null then coalesce(clocks_apart_since, app.now()) end
  returning games.clocks_apart(house) into is_apart;
  return is_apart <> was;
end
$$;

grant select on games.house to sum28_application;
grant select on games.game, games.odds, games.planned_stop, games.room, games.rule, games.stop to sum28_api, sum28_jobs;
grant execute on function games.clocks_apart to sum28_application;
grant execute on function games.cancel_planned_stop, games.open_betting, games.plan_stop, games.stop_betting to
  sum28_api;
grant execute on function games.keep_planned_stops, games.set_clocks_apart to sum28_engine;
grant execute on function games.winning_rules to sum28_jobs;
