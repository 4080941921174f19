-- The reality check of a session of play, and how a player stands.

-- Sets after how much play a player gets the reality check. Answers 'set', or reality_check_due: a due one must be
-- acknowledged first.
create or replace function protection.set_check(of_player integer, every interval) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
begin
  if (select protection.check_due_at(protection_row, moment, house) <= moment from protection.house) then
    return 'reality_check_due';
  end if;
  update protection.player set check_every = every where player_id = of_player;
  perform protection.log_change(of_player, moment, 'check_set', jsonb_build_object(
    'before', extract(epoch from protection_row.check_every) / 60, 'after', extract(epoch from every) / 60));
  return 'set';
end
$$;

-- Acknowledges the reality check that is due, for all of the player's devices; without one nothing changes.
create or replace function protection.acknowledge_check(of_player integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
begin
  if (select coalesce(protection.check_due_at(protection_row, moment, house) > moment, true) from protection.house) then
    return false;
  end if;
  update protection.player set checked_at = moment, session_active_at = greatest(moment, session_active_at)
  where player_id = of_player;
  perform protection.log_change(of_player, moment, 'check_acknowledged',
    protection.session_facts(protection_row, moment));
  return true;
end
$$;

-- A player's present session of play, reality check and break.
create or replace function protection.standing_now(of_player integer)
returns table (check_minutes integer, began_at timestamptz, staked bigint, won bigint, check_at timestamptz,
  excluded_by text, excluded_until timestamptz, may_ask_from timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select (extract(epoch from coalesce(player.check_every, house.check_every_default)) / 60)::integer,
    case when goes_on then session_began_at end, session_staked, session_paid_out,
    protection.check_due_at(player, moment, house),
    coalesce(last.kind, case when not player.under_review then null
      when player.said_under_age_at is not null and player.proved_adult_at is null then 'under_age' else 'likeness' end),
    case when player.excluded_until > moment and player.excluded_until < 'infinity'
      then player.excluded_until end,
    case when last.waits then last.ends_at end
  from protection.player
    cross join protection.house
    cross join lateral (select app.now() as moment) clock
    cross join lateral (select protection.in_session(player, moment, house) as goes_on) session
    left join lateral (
      -- A self-exclusion waits until the player asks to return, though a time-out may end later than its time.
      select exclusion.kind, exclusion.ends_at, player.excluded_until = 'infinity'
        and exclusion.kind = 'self_exclusion' and exclusion.end_requested_at is null as waits
      from protection.exclusion
      where exclusion.player_id = of_player and protection.goes_on_until(exclusion) > moment
      order by waits desc, exclusion.ends_at desc limit 1
    ) last on true
  where player.player_id = of_player;
end;

grant execute on function protection.acknowledge_check, protection.set_check, protection.standing_now to sum28_api;
