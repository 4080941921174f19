-- House robots: programs of the house that bet on house money, through the same code as people.

create schema robots;
grant usage on schema robots to sum28_application;

-- Which robot sits where. Of a room's robots those with a place up to games.room.robots bet.
create table robots.robot (
  player_id integer primary key references accounts.player,
  room_id integer not null references games.room,
  place smallint not null check (place between 1 and 50),
  unique (room_id, place)
);
grant select on robots.robot to sum28_application;

-- One row: whether the demo's robots were once seated, so that what the operator changes stays.
create table robots.house (
  singleton boolean primary key default true check (singleton),
  seated_at timestamptz
);
insert into robots.house default values;

-- What an account is, a person's or a robot's, it is for good.
create function robots.refuse_change_of_kind() returns trigger
language plpgsql as $$
begin
  raise exception 'player % is a %, and stays one', old.id, old.kind
    using errcode = 'restrict_violation';
end
$$;
create trigger kind_never_changes before update on accounts.player
  for each row when (old.kind is distinct from new.kind)
  execute function robots.refuse_change_of_kind();

-- The movements of a robot's money besides its bets. They are no deposits and no withdrawals.
create function wallet.robot_funding_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'robot_funding', 'house:robots', 'cash', amount, reference)::ledger.posting_request;

create function wallet.robot_sweep_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'robot_sweep', 'cash', 'house:robots', amount, reference)::ledger.posting_request;

-- A robot's money comes from the house's robots account and goes back there, besides its bets; and
-- nobody else's does.
create function robots.guard_money() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wrong record;
begin
  select added.kind, added.holder_id into wrong
  from added left join accounts.player on player.id = added.holder_id
  where added.kind not in ('stake', 'payout', 'refund')
    and ((player.kind is not distinct from 'robot') <> (added.kind in ('robot_funding', 'robot_sweep'))
      or ('house:robots' in (added.source, added.destination))
        <> (added.kind in ('robot_funding', 'robot_sweep')))
  limit 1;
  if found then
    raise exception 'a % cannot move money of holder %: robots have the house''s robots money alone, and nobody else has it',
      wrong.kind, wrong.holder_id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;
create trigger robots_money_is_the_houses
  after insert on ledger.posting
  referencing new table as added
  for each statement execute function robots.guard_money();

-- Makes a robot and seats it. False where its name or its place is taken.
create function robots.recruit(room_id integer, place integer, username text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  robot integer;
begin
  insert into accounts.player (username, group_id, kind) values (username, 2, 'robot')
  returning id into robot;
  insert into robots.robot (player_id, room_id, place) values (robot, room_id, place);
  return true;
exception when unique_violation then
  return false;
end
$$;

-- Gives each of these robots whose cash is below its floor what is missing to its target; at most
-- once for a cause. Answers how many got some.
create function robots.fund(
  robots integer[], floors bigint[], targets bigint[], booked_on date, cause text
) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  day alias for $4;
  requests ledger.posting_request[];
begin
  perform from ledger.balance
  where holder_id in (select player_id from robots.robot where player_id = any ($1))
  order by holder_id
  for no key update;

  select array_agg(wallet.robot_funding_request(player_id, day, target - cash, $5) order by player_id)
  into requests
  from unnest($1, $2, $3) as asked (player_id, floor_cash, target)
  join robots.robot using (player_id)
  join ledger.balance on holder_id = player_id
  where cash < floor_cash and cash < target and not exists (
    select from ledger.posting
    where (posting.holder_id, posting.kind, posting.reference, posting.booked_on)
      = (player_id, 'robot_funding', $5, day));
  if requests is null then return 0; end if;
  perform ledger.post(requests);
  return cardinality(requests);
end
$$;

-- Takes back what each of these robots has above what it keeps; at most once for a cause. Answers
-- from how many.
create function robots.sweep(robots integer[], keeps bigint[], booked_on date, cause text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  day alias for $3;
  requests ledger.posting_request[];
begin
  perform from ledger.balance
  where holder_id in (select player_id from robots.robot where player_id = any ($1))
  order by holder_id
  for no key update;

  select array_agg(wallet.robot_sweep_request(player_id, day, cash - keep, $4) order by player_id)
  into requests
  from unnest($1, $2) as asked (player_id, keep)
  join robots.robot using (player_id)
  join ledger.balance on holder_id = player_id
  where cash > keep and keep >= 0 and not exists (
    select from ledger.posting
    where (posting.holder_id, posting.kind, posting.reference, posting.booked_on)
      = (player_id, 'robot_sweep', $4, day));
  if requests is null then return 0; end if;
  perform ledger.post(requests);
  return cardinality(requests);
end
$$;

-- How many robots a room has, 0 to 50. False where there is no such room.
create function robots.set_number(room_id integer, number integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update games.room set robots = $2 where id = $1;
  return found;
end
$$;

-- Gives rooms that have none the demo's number of robots, by the room's type; once in the life of a
-- database. False when that was done before.
create function robots.seat_demo(numbers integer[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update robots.house set seated_at = app.now() where seated_at is null;
  if not found then return false; end if;
  update games.room set robots = numbers[type + 1] where robots = 0;
  return true;
end
$$;

revoke execute on all functions in schema robots from public;
grant execute on function robots.recruit, robots.fund, robots.sweep, robots.set_number, robots.seat_demo
  to sum28_application;

-- As before, of people alone: no figure about players counts a robot.
create or replace function bets.count_settled(
  players integer[], staked bigint[], paid bigint[], on_day date
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  insert into bets.player_day (player_id, day, staked, paid)
  select player_id, on_day, sum(stake), sum(payout)
  from unnest(players, staked, paid) as settled (player_id, stake, payout)
  join accounts.player on player.id = player_id and kind = 'person'
  group by player_id order by player_id
  on conflict (player_id, day) do update
  set staked = player_day.staked + excluded.staked, paid = player_day.paid + excluded.paid;

  insert into bets.player_total (player_id, staked, paid)
  select player_id, sum(stake), sum(payout)
  from unnest(players, staked, paid) as settled (player_id, stake, payout)
  join accounts.player on player.id = player_id and kind = 'person'
  group by player_id order by player_id
  on conflict (player_id) do update
  set staked = player_total.staked + excluded.staked, paid = player_total.paid + excluded.paid;
end
$$;
revoke execute on function bets.count_settled from public;
