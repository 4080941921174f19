-- The console's area players: search, one player's page, and what staff do about him.

create or replace trigger note_never_changes before update or delete on console_players.note
  for each row execute function app.refuse_change();

create or replace trigger note_never_truncated before truncate on console_players.note
  for each statement execute function app.refuse_change();

-- Writes a note about a person. Answers 'set' or not_found.
create or replace function console_players.add_note(of_player integer, note text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
begin
  if not exists (select from accounts.player where id = of_player and kind = 'person') then return 'not_found'; end if;
  insert into console_players.note (player_id, text, written_by, written_at)
  values (of_player, note, by_staff, app.now());
  return 'set';
end
$$;

-- Ends all sessions of a person, and his devices sign in by themselves no more. Answers 'closed' or not_found.
create or replace function console_players.end_sessions(of_player integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support');
  -- A sign-in that is under way waits, or was before.
  perform from accounts.player where id = of_player and kind = 'person' for no key update;
  if not found then return 'not_found'; end if;
  update accounts.session set ended_at = app.now(), ended_by = 'staff'
  where player_id = of_player and ended_at is null;
  update accounts.remembered_device set ended_at = app.now()
  where player_id = of_player and ended_at is null and used_at is null;
  return 'closed';
end
$$;

-- The moment at which a calendar day begins in the operator's time zone.
create or replace function console_players.begin_of(day date) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select day::timestamp at time zone time_zone from protection.house;
end;

-- The calendar day of a moment in the operator's time zone.
create or replace function console_players.day_of(moment timestamptz) returns date
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select (moment at time zone time_zone)::date from protection.house;
end;

-- Counts what each person bet in the night of a day, from midnight to 5 in the morning, once. It reads the
-- bets of the rounds that took bets then.
create or replace function console_players.count_night(of_day date) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into console_players.night (player_id, day, bets, staked)
  select bet.player_id, of_day, count(*), sum(bet.total)
  from (select console_players.begin_of(of_day) as began,
      console_players.begin_of(of_day) + interval '5 hours' as ended) night
    cross join games.game
    join rounds.round on round.game_id = game.id and round.game_day between of_day - 1 and of_day
      and round.opens_at < night.ended and round.seals_at > night.began
    join bets.bet on bet.game_id = round.game_id and bet.issue = round.issue and bet.booked_on = round.game_day
      and bet.accepted_at >= night.began and bet.accepted_at < night.ended and bet.status <> 'refunded'
    join accounts.player on player.id = bet.player_id and player.kind = 'person'
  group by bet.player_id
  on conflict do nothing;
end;

-- What was credited to each person in the four weeks from Monday on that ended last, where each of the later
-- three has more than the one before, and the first has something.
create or replace function console_players.growing_deposits(until_day date)
returns table (player_id integer, facts jsonb)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with span as (
    select date_trunc('week', until_day + 1)::date - 28 as first_day
  ), came as (
    select transfer.player_id, credited_at as at, transfer.amount
    from span, deposits.transfer left join protection.held_deposit held
      on held.reference = 'usdt:' || tx_id || ':' || log_index
    where credited_at >= console_players.begin_of(first_day) and transfer.player_id is not null and held.id is null
    union all
    select bank.player_id, bank.decided_at, bank.amount
    from span, deposits.bank_deposit bank left join protection.held_deposit held on held.reference = 'bank:' || bank.id
    where bank.state = 'confirmed' and bank.decided_at >= console_players.begin_of(first_day) and held.id is null
    union all
    select held.player_id, held.decided_at, held.amount from span, protection.held_deposit held
    where held.state = 'released' and held.decided_at >= console_players.begin_of(first_day)
  ), weeks as (
    select came.player_id, (console_players.day_of(at) - first_day) / 7 as week, min(first_day) as first_day,
      sum(amount) as amount
    from span, came where console_players.day_of(at) < first_day + 28 group by 1, 2
  ), compared as (
    select weeks.*, amount > lag(amount, 1, 0::numeric) over (partition by weeks.player_id order by week) as grows
    from weeks
  )
  select compared.player_id, jsonb_agg(jsonb_build_object('day', first_day + 7 * week,
    'values', jsonb_build_object('deposited', amount::text)) order by week)
  from compared group by compared.player_id having count(*) = 4 and bool_and(grows);
end;

-- Limits of a person's own that were raised, or removed, three times or more in 30 days.
create or replace function console_players.raised_limits(until_day date)
returns table (player_id integer, facts jsonb)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select change.player_id, jsonb_agg(jsonb_build_object('day', console_players.day_of(at),
    'values', jsonb_strip_nulls(details)) order by change.id)
  from protection.change
  where what = 'limit_raised' and at >= console_players.begin_of(until_day - 29)
    and at < console_players.begin_of(until_day + 1)
  group by change.player_id having count(*) >= 3;
end;

-- Days of the last 28 on which a person staked more than 1.5 times as much as on either of the two days of play
-- before, both of which he had ended with a loss; two such days or more.
create or replace function console_players.chased_losses(until_day date)
returns table (player_id integer, facts jsonb)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select played.player_id, jsonb_agg(jsonb_build_object('day', day, 'values', jsonb_build_object(
    'staked', staked::text, 'staked_before', most_before::text, 'lost_before', lost_before::text)) order by day)
  from (
    select player_day.*, count(*) over two_before as days_before, max(staked) over two_before as most_before,
      bool_and(paid < staked) over two_before as lost_both, sum(staked - paid) over two_before as lost_before
    from bets.player_day where day between until_day - 41 and until_day
    window two_before as (partition by player_day.player_id order by day rows between 2 preceding and 1 preceding)
  ) played
  where day > until_day - 28 and days_before = 2 and lost_both and staked > 1.5 * most_before
  group by played.player_id having count(*) >= 2;
end;

-- Nights of the last 14 in which a person bet; five or more.
create or replace function console_players.played_nights(until_day date)
returns table (player_id integer, facts jsonb)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select night.player_id, jsonb_agg(jsonb_build_object('day', day, 'values',
    jsonb_build_object('bets', bets::text, 'staked', staked::text)) order by day)
  from console_players.night where day between until_day - 13 and until_day
  group by night.player_id having count(*) >= 5;
end;

-- Withdrawals that were rejected, which is also how support cancels one for a player who asks; two or more in
-- 30 days.
create or replace function console_players.rejected_withdrawals(until_day date)
returns table (player_id integer, facts jsonb)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select withdrawal.player_id, jsonb_agg(jsonb_build_object('day', console_players.day_of(decided_at),
    'values', jsonb_build_object('amount', amount::text, 'reason', reject_reason)) order by decided_at, id)
  from withdrawals.withdrawal
  where state = 'rejected' and decided_at >= console_players.begin_of(until_day - 29)
    and decided_at < console_players.begin_of(until_day + 1)
  group by withdrawal.player_id having count(*) >= 2;
end;

-- Looks for signs in the days up to one that is over, once for each day, and keeps those that there are now.
-- Answers how many there are, or null where it was done before. One process looks at a time.
create or replace function console_players.find_signs(until_day date) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  first_night date;
  found_now integer;
begin
  perform pg_advisory_xact_lock(hashtext('console_players.find_signs'));
  if until_day >= console_players.day_of(app.now()) then
    raise exception 'the day % is not over', until_day using errcode = 'check_violation';
  end if;
  select greatest(max(day) + 1, until_day - 13) into first_night from console_players.signs_day;
  insert into console_players.signs_day (day, found_at)
  select until_day, app.now() where coalesce(first_night, until_day) <= until_day;
  if not found then return null; end if;
  perform console_players.count_night(each::date)
  from generate_series(coalesce(first_night, until_day - 13)::timestamp, until_day::timestamp, interval '1 day') each;
  insert into console_players.sign as known (player_id, kind, since_day, until_day, facts)
  select here.player_id, here.kind, find_signs.until_day, find_signs.until_day, here.facts from (
    select 'deposits_growing' as kind, * from console_players.growing_deposits(find_signs.until_day)
    union all select 'limits_raised', * from console_players.raised_limits(find_signs.until_day)
    union all select 'chasing_losses', * from console_players.chased_losses(find_signs.until_day)
    union all select 'nights', * from console_players.played_nights(find_signs.until_day)
    union all select 'withdrawals_rejected', * from console_players.rejected_withdrawals(find_signs.until_day)
  ) here
  on conflict (player_id, kind) do update set until_day = excluded.until_day, facts = excluded.facts;
  get diagnostics found_now = row_count;
  delete from console_players.sign where sign.until_day < find_signs.until_day;
  delete from console_players.night where day < find_signs.until_day - 30;
  return found_now;
end
$$;

create or replace trigger contact_never_changes before update or delete on console_players.contact
  for each row execute function app.refuse_change();

create or replace trigger contact_never_truncated before truncate on console_players.contact
  for each statement execute function app.refuse_change();

-- Notes a contact with a person about his play. Answers 'set' or not_found.
create or replace function console_players.add_contact(of_player integer, on_day date, by_channel text, said text,
  by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
begin
  if not exists (select from accounts.player where id = of_player and kind = 'person') then return 'not_found'; end if;
  insert into console_players.contact (player_id, day, channel, text, written_by, written_at)
  values (of_player, on_day, by_channel, said, by_staff, app.now());
  return 'set';
end
$$;

-- What the application may do.
grant usage on schema console_players to sum28_application;
grant select on console_players.contact, console_players.note, console_players.sign to sum28_application;
grant execute on function console_players.add_contact, console_players.add_note, console_players.end_sessions,
  console_players.find_signs to sum28_application;
