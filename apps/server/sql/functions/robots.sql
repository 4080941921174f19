-- House robots: programs of the house that bet on house money, through the same code as people.

-- Makes a robot and gives it a seat. False if its name or its seat is taken.
create or replace function robots.recruit(room_id integer, seat integer, username text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  robot integer;
begin
  insert into accounts.player (username, group_id, kind) values (username, 2, 'robot')
  returning id into robot;
  insert into robots.robot (player_id, room_id, seat) values (robot, room_id, seat);
  return true;
exception when unique_violation then
  return false;
end
$$;

-- Fills the cash of these robots up to their targets, if it is below the floor; or takes back what they have above their
-- targets. At most once for a cause. Returns for how many robots money moved.
create or replace function robots.level(
  fills boolean, robots integer[], floors bigint[], targets bigint[], booked_on date, cause text
) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  day alias for $5;
  of_kind constant text := case when fills then 'robot_funding' else 'robot_sweep' end;
  movements wallet.movement[];
begin
  perform from ledger.balance
  where holder_id in (select player_id from robots.robot where player_id = any ($2))
  order by holder_id
  for no key update;

  select array_agg(row(player_id, day, abs(target - cash), $6)::wallet.movement order by player_id)
  into movements
  from unnest($2, $3, $4) as wanted (player_id, floor_cash, target)
  join robots.robot using (player_id)
  join ledger.balance on holder_id = player_id
  where target >= 0 and case when fills then cash < floor_cash and cash < target else cash > target end
    and not exists (
      select from ledger.posting
      where (posting.holder_id, posting.kind, posting.reference, posting.booked_on) = (player_id, of_kind, $6, day));
  if movements is null then return 0; end if;
  perform wallet.move(of_kind, movements);
  return cardinality(movements);
end
$$;

-- Sets how many robots a room has; returns the previous number, or null if there is no such room.
create or replace function robots.set_number(room_id integer, number integer, by_session text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  had integer;
begin
  perform staff.acting(by_session, 'owner');
  select robots into had from games.room where id = $1 for no key update;
  update games.room set robots = $2 where id = $1;
  return had;
end
$$;

-- Gives rooms without robots the demo's number of them, by the room's type; once for each database. False if that was
-- done before.
create or replace function robots.seat_demo(numbers integer[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('games.stop'));
  update games.house set robots_seated_at = app.now() where robots_seated_at is null;
  if not found then return false; end if;
  update games.room set robots = numbers[type + 1] where robots = 0;
  return true;
end
$$;

grant select on robots.robot to sum28_api, sum28_jobs;
grant execute on function robots.seat_demo to sum28_api, sum28_jobs;
grant execute on function robots.set_number to sum28_api;
grant execute on function robots.level, robots.recruit to sum28_jobs;
