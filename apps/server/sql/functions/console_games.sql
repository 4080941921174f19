-- The console's area games: changes of a room's limits and odds. The content of such a proposal is
-- {rules_version, stake_min: {before, after}, stake_max, entry_min, odds: [{rule_id, before, after}]}, in micro-units and
-- thousandths. That of a change of the odds of several rooms is {rooms: [{room_id, name, and a room's content}]}.

-- The state of the change of a room that waits, other than this proposal; null without one.
create or replace function console_games.waiting_change(of_room integer, other_than bigint) returns text
language sql stable set search_path = pg_catalog, pg_temp
return (select state from (
    select id, state from staff.proposal
    where kind = 'room_change' and subject = 'room:' || of_room and state in ('proposed', 'confirmed')
    union all
    select id, state from staff.proposal
    where kind = 'odds_change' and state = 'proposed'
      and content -> 'rooms' @> jsonb_build_array(jsonb_build_object('room_id', of_room))
  ) open where id is distinct from other_than limit 1);

-- Locks the room of a proposed change. Answers null, not_found, rules_changed if the room has another version than the
-- proposal was made from, or already_proposed if another change of it waits.
create or replace function console_games.judge_room_change(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  room_id integer;
  version integer;
  least constant bigint := proposed.content #>> '{stake_min,after}';
begin
  select id, rules_version into room_id, version from games.room
  where 'room:' || id = proposed.subject for no key update;
  if version is null then return 'not_found'; end if;
  if version is distinct from (proposed.content ->> 'rules_version')::integer then return 'rules_changed'; end if;
  if console_games.waiting_change(room_id, proposed.id) is not null then return 'already_proposed'; end if;
  if (least > 0 and (proposed.content #>> '{stake_max,after}')::bigint >= least
    and (proposed.content #>> '{entry_min,after}')::bigint >= 0) is not true
  then
    raise exception 'the limits of the change of % are in the wrong order', proposed.subject
      using errcode = 'check_violation';
  end if;
  perform games.check_odds(rule_id, after)
  from jsonb_to_recordset(proposed.content -> 'odds') as odds (rule_id smallint, after integer);
  return null;
end
$$;

-- Locks the rooms of a proposed change of odds, in their order, and judges each of them as a change of it alone.
create or replace function console_games.judge_odds_change(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  of_room staff.proposal;
  room jsonb;
  why_not text;
begin
  if (jsonb_array_length(proposed.content -> 'rooms') > 0) is not true then
    raise exception 'a change of odds names no room' using errcode = 'check_violation';
  end if;
  of_room.id := proposed.id;
  for room in
    select each from jsonb_array_elements(proposed.content -> 'rooms') each order by (each ->> 'room_id')::integer
  loop
    of_room.subject := 'room:' || (room ->> 'room_id');
    of_room.content := room;
    why_not := console_games.judge_room_change(of_room, of_role);
    if why_not is not null then return why_not; end if;
  end loop;
  return null;
end
$$;

-- Makes a confirmed change of each room, by the same two persons: it begins with the next round of the room's game.
create or replace function console_games.change_odds(confirmed staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into staff.proposal (kind, subject, content, reason, state, proposed_by, proposed_at, confirmed_by, confirmed_at)
  select 'room_change', 'room:' || (room ->> 'room_id'), room - 'room_id' - 'name', (confirmed).reason, 'confirmed',
    (confirmed).proposed_by, (confirmed).proposed_at, (confirmed).confirmed_by, (confirmed).confirmed_at
  from jsonb_array_elements((confirmed).content -> 'rooms') room order by (room ->> 'room_id')::integer;
end;

-- When a round opens, its game's confirmed changes take effect, in one transaction: a reader who sees the round sees
-- its terms. A change that was confirmed when the round should already have been open waits for the next one. Betting
-- on the previous round has ended by then.
create or replace function console_games.begin_changes() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  due record;
begin
  perform from games.room
  where game_id = new.game_id and 'room:' || id in (
    select subject from staff.proposal where kind = 'room_change' and state = 'confirmed')
  order by id for no key update;
  -- Read after the wait for the locks.
  for due in
    select proposal.id, content, room.id as room_id
    from staff.proposal join games.room on 'room:' || room.id = subject
    where room.game_id = new.game_id and kind = 'room_change' and state = 'confirmed'
      and confirmed_at < new.opens_at and room.rules_version = (content ->> 'rules_version')::integer
    order by room.id for no key update of proposal
  loop
    update games.room
    set stake_min = (due.content #>> '{stake_min,after}')::bigint,
      stake_max = (due.content #>> '{stake_max,after}')::bigint,
      entry_min = (due.content #>> '{entry_min,after}')::bigint, rules_version = rules_version + 1
    where id = due.room_id;
    update games.odds set odds_milli = begun.after
    from jsonb_to_recordset(due.content -> 'odds') as begun (rule_id smallint, after integer)
    where odds.room_id = due.room_id and odds.rule_id = begun.rule_id;
    update staff.proposal set state = 'effective', effective_with = new.issue, effective_at = app.now()
    where id = due.id;
  end loop;
  return null;
end
$$;

-- The least number that a room's bets since an instant can have, found by halving: those of a room ascend with time.
create or replace function console_games.first_bet_since(of_room integer, since timestamptz) returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  least_id bigint := 0;
  end_id bigint := (select coalesce(max(id), 0) + 1 from bets.bet where room_id = of_room);
  middle bigint;
  next_bet record;
begin
  while least_id < end_id loop
    middle := (least_id + end_id) / 2;
    select id, accepted_at into next_bet from bets.bet where room_id = of_room and id >= middle order by id limit 1;
    if next_bet.id is null or next_bet.accepted_at >= since then
      end_id := middle;
    else
      least_id := next_bet.id + 1;
    end if;
  end loop;
  return least_id;
end
$$;

create or replace trigger round_begins_changes after insert on rounds.round
  for each row execute function console_games.begin_changes();

-- What follows when the database went back to an instant: its owner calls it before anything is started, as the member
-- of staff who does it. What protected people since is gone, so all sign in anew, and betting is stopped until an owner
-- opens it. The seeds of the rounds since are public: the rest of each chain is left out. The deposit addresses that were
-- given since are not known any more: no other player gets them. Nor does anybody get a number that a bank has seen: of a
-- player, in his bank reference, of a withdrawal, or of a batch. No device is known any more. What was paid since is to be
-- paid in these books: withdrawals are held, and for as long no held deposit is credited or begun to be paid back. A check
-- of all books begins anew: what it has found right may have been of the lost machine.
create or replace function console_games.after_restore(by_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := (select id from staff.member where name = by_name and active);
  why constant text := 'The database went back to an instant.';
  given text;
begin
  perform games.make_stop('all', 0, 'maintenance', why, by_staff);
  perform staff.write_audit(by_staff, null, 'betting_stopped', 'betting',
    jsonb_build_object('reason', 'maintenance', 'note', why));
  update protection.house set keeps_deposits_until = app.now() + (select hold from withdrawals.terms);
  update accounts.player set sensitive_changed_at = app.now() where accounts.is_person(player);
  update accounts.session set ended_at = app.now(), ended_by = 'staff' where ended_at is null;
  update accounts.remembered_device set ended_at = app.now() where ended_at is null;
  update staff.session set ended_at = app.now(), ended_by = 'reset' where ended_at is null;
  delete from accounts.known_device;
  update fairness.chain set used = length where used < length;
  update app.books_checked set whole_order = null, whole_through = null;
  foreach given in array array['deposits.address_derivation_index_seq', 'accounts.player_id_seq',
    'withdrawals.withdrawal_id', 'console_money.bank_batch_id_seq']
  loop
    perform setval(given, nextval(given) + 10000);
  end loop;
end
$$;

grant execute on function console_games.first_bet_since, console_games.waiting_change to sum28_api;
