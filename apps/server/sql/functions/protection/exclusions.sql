-- Time-outs and self-exclusions.

-- Excludes a player from betting and depositing, at once. An exclusion is never shortened: answers 'begun', or
-- already_excluded if one of his own lasts at least as long: that of another account ends here if staff decide that it is
-- another person's. A self-exclusion ends only by request_end. It holds also for the
-- accounts that staff have confirmed to be the same person's. Months are those of UTC, as in the app, whatever the zone
-- of the database's machine.
create or replace function protection.exclude(of_player integer, of_kind text, lasting interval) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  ends constant timestamptz := (moment at time zone 'UTC' + lasting) at time zone 'UTC';
  persons constant integer[] := of_player || protection.same_person_as(of_player);
  person integer;
begin
  if of_kind = 'time_out' and lasting between '24 hours' and '42 days' then
    if exists (select from protection.exclusion own where player_id = of_player and shared_from is null
      and protection.goes_on_until(own) >= ends) then return 'already_excluded'; end if;
  elsif of_kind = 'self_exclusion' and lasting between '6 months' and '5 years' then
    if exists (select from protection.exclusion where player_id = of_player and shared_from is null
      and kind = of_kind and ends_at >= ends) then return 'already_excluded'; end if;
  else
    raise exception 'there is no % of %', of_kind, lasting using errcode = 'check_violation';
  end if;
  for person in
    select player_id from protection.player where player_id = any (persons) order by player_id <> of_player, player_id
  loop
    perform protection.lock_player(person);
    insert into protection.exclusion (player_id, kind, began_at, ends_at, shared_from)
    values (person, of_kind, moment, ends, nullif(of_player, person));
    update protection.player
    set excluded_until = greatest(excluded_until, case of_kind when 'time_out' then ends else 'infinity' end)
    where player_id = person;
    perform protection.log_change(person, moment, of_kind, jsonb_build_object(
      'until', protection.seconds_of(ends)));
  end loop;
  -- A mark that another account gives meanwhile is found here, or is given after this and finds the exclusion.
  perform pg_advisory_xact_lock(hashtext('protection.mark'));
  perform protection.find_alike(person_too, moment) from unnest(persons) person_too;
  return 'begun';
end
$$;

create or replace function protection.end_wait() returns interval
language sql immutable return interval '24 hours';

-- Requests the end of a self-exclusion whose time is over; the end comes a day later. Answers 'end_requested',
-- not_excluded or too_early. A review by staff continues, and so does a time-out that ends later. If an account that
-- resembles this one is excluded for longer, staff review this one first.
create or replace function protection.request_end(of_player integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  last_end timestamptz;
begin
  select max(ends_at) into last_end from protection.exclusion
  where player_id = of_player and kind = 'self_exclusion' and end_requested_at is null;
  if last_end is null or protection_row.excluded_until is distinct from 'infinity' then return 'not_excluded'; end if;
  if moment < last_end then return 'too_early'; end if;
  update protection.exclusion set end_requested_at = moment
  where player_id = of_player and kind = 'self_exclusion' and end_requested_at is null;
  -- A time-out may end later than a self-exclusion that was shared with this account.
  update protection.player set excluded_until = greatest(moment + protection.end_wait(),
    (select max(ends_at) from protection.exclusion where exclusion.player_id = of_player))
  where player_id = of_player;
  perform protection.log_change(of_player, moment, 'end_requested', '{}');
  -- An account that is being excluded meanwhile is found here, or finds this one.
  perform pg_advisory_xact_lock_shared(hashtext('protection.mark'));
  perform protection.begin_review(of_player, array_agg(other.player_id), array_agg(other.kind), moment)
  from protection.mark own join protection.mark other on other.kind = own.kind and other.hash = own.hash
  where own.player_id = of_player and protection.break_ends(other.player_id) > moment + protection.end_wait();
  return 'end_requested';
end
$$;

-- Whether a player is on a break or under review, when nothing that advertises is sent to him.
create or replace function protection.hears_no_advertising(of_player integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from protection.player
  where player_id = of_player and (excluded_until > app.now() or under_review));

grant execute on function protection.hears_no_advertising to sum28_api, sum28_jobs;
grant execute on function protection.end_wait, protection.exclude, protection.request_end to sum28_api;
