-- What staff do besides money: stop and open betting, set robots, freeze accounts; and what becomes of
-- USDT that reached nobody.

-- Why something is stopped, by whom and since when; a row while it is. What decides is `stopped` of
-- games.house, games.game and games.room.
create table games.stop (
  scope text not null check (scope in ('all', 'game', 'room')),
  -- A game's or a room's id; 0 for all.
  subject_id integer not null,
  reason text not null check (reason in ('maintenance', 'fault', 'investigation', 'other')),
  note text,
  stopped_by integer not null references staff.member,
  stopped_at timestamptz not null,
  primary key (scope, subject_id),
  check ((scope = 'all') = (subject_id = 0)),
  check (reason <> 'other' or note is not null)
);
grant select on games.stop to sum28_application;

-- Stops a room, a game or all betting; again, to give another reason. Bets under way come first, and
-- when this is committed there is none that did not see it. False where there is no such thing.
create function games.stop_betting(of_scope text, of_id integer, why text, more text, by_staff integer)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('games.stop'));
  case of_scope
    when 'all' then update games.house set stopped = true;
    when 'game' then update games.game set stopped = true where id = of_id;
    when 'room' then update games.room set stopped = true where id = of_id;
  end case;
  if not found then return false; end if;
  insert into games.stop (scope, subject_id, reason, note, stopped_by, stopped_at)
  values (of_scope, of_id, why, more, by_staff, app.now())
  on conflict (scope, subject_id) do update
  set reason = excluded.reason, note = excluded.note, stopped_by = excluded.stopped_by,
    stopped_at = excluded.stopped_at;
  return true;
end
$$;

-- Ends a stop; one of the game or of all betting stays as it is. Answers 'open', not_found or
-- not_stopped.
create function games.open_betting(of_scope text, of_id integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  was boolean;
begin
  perform pg_advisory_xact_lock(hashtext('games.stop'));
  case of_scope
    when 'all' then select stopped into was from games.house;
    when 'game' then select stopped into was from games.game where id = of_id;
    when 'room' then select stopped into was from games.room where id = of_id;
  end case;
  if was is null then return 'not_found'; end if;
  if not was then return 'not_stopped'; end if;
  case of_scope
    when 'all' then update games.house set stopped = false;
    when 'game' then update games.game set stopped = false where id = of_id;
    when 'room' then update games.room set stopped = false where id = of_id;
  end case;
  delete from games.stop where scope = of_scope and subject_id = of_id;
  return 'open';
end
$$;
revoke execute on function games.stop_betting, games.open_betting from public;
grant execute on function games.stop_betting, games.open_betting to sum28_application;

-- As before, and a stop waits for batches under way and they for it; who is frozen places no bet.
create or replace function bets.place(batch jsonb)
returns table (ord integer, reason text, bet_id bigint, booked_on date)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  moment timestamptz;
begin
  -- Ids are as wide as a request may write them: one that no rule or game has is refused, not a fault.
  create temporary table if not exists slip (
    ord integer primary key, player_id integer not null unique, key text, input_hash text,
    game_id integer, issue bigint, room_id integer, rule_ids integer[], stake bigint, total bigint,
    follow_id bigint, nonce text, reason text, bet_id bigint, booked_on date, odds_milli integer[],
    rules_version integer
  ) on commit delete rows;
  delete from pg_temp.slip;

  insert into pg_temp.slip (ord, player_id, key, input_hash, game_id, issue, room_id, rule_ids, stake,
    total, follow_id, nonce)
  select ord, player_id, key, input_hash, game_id, issue, room_id, rule_ids, stake,
    stake * cardinality(rule_ids), follow_id, nonce
  from jsonb_to_recordset(batch) as asked (ord integer, player_id integer, key text, input_hash text,
    game_id integer, issue bigint, room_id integer, rule_ids integer[], stake bigint,
    follow_id bigint, nonce text);

  -- A key that is taken waits for whoever holds it, and then is a replay.
  with claimed as (
    insert into wallet.idempotency_key (player_id, key, route, input_hash, created_at)
    select player_id, key, 'playOrder', decode(input_hash, 'hex'), app.now()
    from pg_temp.slip where key is not null
    order by player_id
    on conflict do nothing
    returning player_id
  )
  update pg_temp.slip set reason = 'replay'
  where key is not null and player_id not in (select player_id from claimed);

  -- What a stop waits for, and makes wait: it is read below as it stands then.
  perform pg_advisory_xact_lock_shared(hashtext('games.stop'));
  -- The lock that the seal also needs; the time is read once it is held.
  perform from rounds.round
  where (game_id, issue) in (select game_id, issue from pg_temp.slip where reason is null)
  order by game_id, issue
  for no key update;
  moment := app.now();

  update pg_temp.slip set
    reason = case
      when room.id is null then 'room_unknown'
      when house.stopped then 'games_stopped'
      when game.stopped or room.stopped then 'room_stopped'
      when running.issue is null then 'round_closed'
      when running.issue <> slip.issue then 'round_wrong'
      when running.state <> 'open' or moment >= running.seals_at then 'round_sealed'
      when offered.rules < cardinality(slip.rule_ids) then 'rule_unknown'
      when slip.total < room.stake_min then 'below_minimum'
      when slip.total > room.stake_max then 'above_maximum'
    end,
    booked_on = running.game_day,
    odds_milli = offered.odds_milli,
    rules_version = room.rules_version
  from pg_temp.slip asked
    cross join games.house
    left join games.room on room.id = asked.room_id and room.game_id = asked.game_id
    left join games.game on game.id = asked.game_id
    left join lateral (
      select issue, state, seals_at, game_day from rounds.round
      where round.game_id = asked.game_id and draws_at > moment and opens_at <= moment
      order by draws_at desc limit 1
    ) running on true
    left join lateral (
      select count(odds.rule_id) as rules, array_agg(odds.odds_milli order by position) as odds_milli
      from unnest(asked.rule_ids) with ordinality chosen (rule_id, position)
      join games.odds on odds.room_id = asked.room_id and odds.rule_id = chosen.rule_id
    ) offered on true
  where slip.ord = asked.ord and slip.reason is null;

  -- The balances, in the order in which everybody locks them.
  perform from ledger.balance
  where holder_id in (select player_id from pg_temp.slip where reason is null)
  order by holder_id
  for no key update;

  -- Who was frozen holds a balance that was locked for it.
  update pg_temp.slip set reason = 'account_locked'
  from accounts.player
  where reason is null and player.id = slip.player_id and player.state = 'frozen';

  update pg_temp.slip set reason = 'insufficient_balance'
  where reason is null and not exists (
    select from ledger.balance where holder_id = slip.player_id and cash >= slip.total);

  update pg_temp.slip set bet_id = nextval('bets.bet_id')
  from (select ord from pg_temp.slip where reason is null order by ord) accepted
  where slip.ord = accepted.ord;

  with taken as (
    select posting.* from ledger.post((
      select array_agg(
        wallet.stake_request(player_id, booked_on, total, 'bet:' || slip.bet_id) order by slip.bet_id)
      from pg_temp.slip where reason is null
    )) posting
  )
  insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
    rules_version, stake, total, cash_after, accepted_at, follow_id, nonce)
  select slip.player_id, slip.bet_id, slip.booked_on,
    to_char(slip.booked_on, 'YYYYMMDD') || lpad(slip.bet_id::text, greatest(8, length(slip.bet_id::text)), '0'),
    game_id, issue, room_id, rule_ids, odds_milli, rules_version, stake, total, taken.cash_after, moment,
    follow_id, decode(nonce, 'hex')
  from pg_temp.slip
  join taken on taken.holder_id = slip.player_id
  where reason is null
  order by slip.bet_id;

  update wallet.idempotency_key
  set result = jsonb_strip_nulls(jsonb_build_object(
    'reason', slip.reason, 'bet_id', slip.bet_id, 'booked_on', slip.booked_on))
  from pg_temp.slip
  where idempotency_key.player_id = slip.player_id and idempotency_key.key = slip.key
    and slip.reason is distinct from 'replay';

  return query
    select slip.ord, slip.reason, slip.bet_id, slip.booked_on from pg_temp.slip order by slip.ord;
end
$$;

-- How many robots a room has, 0 to 50. Answers how many it had, or null where there is no such room.
drop function robots.set_number(integer, integer);
create function robots.set_number(room_id integer, number integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  had integer;
begin
  select robots into had from games.room where id = $1 for no key update;
  update games.room set robots = $2 where id = $1;
  return had;
end
$$;
revoke execute on function robots.set_number from public;
grant execute on function robots.set_number to sum28_application;

-- When and why an account was frozen, and by whom; and how that ended.
create table accounts.freezing (
  id bigint generated always as identity primary key,
  player_id integer not null references accounts.player,
  reason text not null,
  frozen_by integer not null references staff.member,
  frozen_at timestamptz not null,
  lifted_by integer references staff.member,
  lifted_at timestamptz,
  lift_reason text,
  check ((lifted_at is null) = (lifted_by is null)),
  check ((lifted_at is null) = (lift_reason is null))
);
create unique index one_freeze_at_a_time on accounts.freezing (player_id) where lifted_at is null;
create index player_frozen on accounts.player (id) where state = 'frozen';
grant select on accounts.freezing to sum28_application;

-- Freezes a person's account: his sessions and remembered devices end, and bets under way come first.
-- Answers 'frozen', not_found or already.
create function accounts.freeze_player(of_player integer, why text, by_staff integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  was text;
begin
  -- What bets and withdrawals lock, and in their order.
  perform from ledger.balance where holder_id = of_player for no key update;
  select state into was from accounts.player
  where player.id = of_player and kind = 'person' for no key update;
  if was is null then return 'not_found'; end if;
  if was = 'frozen' then return 'already'; end if;
  update accounts.player set state = 'frozen' where player.id = of_player;
  update accounts.session set ended_at = app.now(), ended_by = 'frozen'
  where player_id = of_player and ended_at is null;
  update accounts.remembered_device set ended_at = app.now()
  where player_id = of_player and ended_at is null and used_at is null;
  insert into accounts.freezing (player_id, reason, frozen_by, frozen_at)
  values (of_player, why, by_staff, app.now());
  return 'frozen';
end
$$;

-- Ends a freeze. Answers 'active', not_found or already.
create function accounts.unfreeze_player(of_player integer, why text, by_staff integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  was text;
begin
  select state into was from accounts.player
  where player.id = of_player and kind = 'person' for no key update;
  if was is null then return 'not_found'; end if;
  if was = 'active' then return 'already'; end if;
  update accounts.player set state = 'active' where player.id = of_player;
  update accounts.freezing set lifted_by = by_staff, lifted_at = app.now(), lift_reason = why
  where player_id = of_player and lifted_at is null;
  return 'active';
end
$$;
revoke execute on function accounts.freeze_player, accounts.unfreeze_player from public;
grant execute on function accounts.freeze_player, accounts.unfreeze_player to sum28_application;

-- Closes a colleague's account and ends his sessions. Answers 'closed', not_found, same_person, already,
-- or caller_closed: of two who close each other at once only one does.
create function staff.close_colleague(of_name text, by_staff integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  colleague staff.member;
begin
  perform from staff.member where name = of_name or id = by_staff order by id for no key update;
  if not exists (select from staff.member where id = by_staff and active) then return 'caller_closed'; end if;
  select * into colleague from staff.member where name = of_name;
  if colleague.id is null then return 'not_found'; end if;
  if colleague.id = by_staff then return 'same_person'; end if;
  if not colleague.active then return 'already'; end if;
  update staff.member set active = false where id = colleague.id;
  update staff.session set ended_at = app.now(), ended_by = 'inactive'
  where staff_id = colleague.id and ended_at is null;
  perform staff.append_audit(by_staff, 'staff_closed', 'staff:' || colleague.id,
    jsonb_build_object('name', colleague.name));
  return 'closed';
end
$$;
revoke execute on function staff.close_colleague from public;
grant execute on function staff.close_colleague to sum28_application;

-- What became of a transfer that reached nobody: one person proposes whose it is and another confirms,
-- which credits it; or one dismisses it.
create table deposits.assignment (
  id bigint generated always as identity primary key,
  tx_id text not null,
  log_index integer not null,
  -- Null: it is nobody's, and was dismissed.
  player_id integer references accounts.player,
  note text not null,
  proposed_by integer not null references staff.member,
  proposed_at timestamptz not null,
  state text not null check (state in ('proposed', 'confirmed', 'refused')),
  decided_by integer references staff.member,
  decided_at timestamptz,
  -- Why a proposal was refused, or a dismissal taken back.
  refuse_reason text,
  foreign key (tx_id, log_index) references deposits.transfer,
  constraint assigned_by_two check (state <> 'confirmed' or player_id is null or decided_by <> proposed_by),
  check ((state = 'proposed') = (decided_by is null)),
  check ((state = 'proposed') = (decided_at is null)),
  check ((state = 'refused') = (refuse_reason is not null)),
  check (state <> 'proposed' or player_id is not null)
);
-- One outcome for each transfer.
create unique index one_assignment on deposits.assignment (tx_id, log_index) where state <> 'refused';
grant select on deposits.assignment to sum28_application;

create function deposits.guard_assignment() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (new.id, new.tx_id, new.log_index, new.player_id, new.note, new.proposed_by, new.proposed_at)
      is distinct from
     (old.id, old.tx_id, old.log_index, old.player_id, old.note, old.proposed_by, old.proposed_at)
    or not (old.state = 'proposed'
      -- A dismissal may be taken back: it moved no money.
      or old.state = 'confirmed' and old.player_id is null and new.state = 'refused')
  then
    raise exception 'assignment % is decided, and what was proposed never changes', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger assignment_guarded before update on deposits.assignment
  for each row execute function deposits.guard_assignment();
create trigger assignment_never_deleted before delete on deposits.assignment
  for each row execute function app.refuse_change();
create trigger assignment_never_truncated before truncate on deposits.assignment
  for each statement execute function app.refuse_change();

-- A transfer stays as it came; one that reached nobody may be given to whom it was confirmed for.
create function deposits.guard_transfer() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.player_id is not null or old.credited_at is not null or new.credited_at is null
    or (new.tx_id, new.log_index, new.block, new.block_at, new.from_address, new.to_address, new.amount)
      is distinct from
       (old.tx_id, old.log_index, old.block, old.block_at, old.from_address, old.to_address, old.amount)
    or not exists (select from deposits.assignment
      where assignment.tx_id = new.tx_id and assignment.log_index = new.log_index
        and assignment.player_id = new.player_id and state = 'confirmed')
  then
    raise exception 'transfer %:% stays as it came', old.tx_id, old.log_index
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger transfer_guarded before update on deposits.transfer
  for each row execute function deposits.guard_transfer();
create trigger transfer_never_deleted before delete on deposits.transfer
  for each row execute function app.refuse_change();

-- The transaction that a reference names: 64 hexadecimal digits in it, whatever stands around them.
create function deposits.transaction_in(reference text) returns text
language sql immutable
return substring(lower(regexp_replace(reference, '\s', '', 'g')) from '[0-9a-f]{64}');

-- Whether all that a transaction brought us is credited.
create function deposits.is_credited(transaction text) returns boolean
language sql stable
return coalesce((select bool_and(credited_at is not null) from deposits.transfer where tx_id = transaction), false);

-- As before; but a transaction is credited by the chain or by an assignment, and never by the bank.
create or replace function deposits.record_bank_deposit(of_player integer, amount bigint, bank_reference text, by_staff integer)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  made bigint;
begin
  if deposits.transaction_in(bank_reference) is not null then
    raise exception 'a transaction is no reference of a bank' using errcode = 'check_violation';
  end if;
  insert into deposits.bank_deposit (player_id, amount, bank_reference, recorded_by)
  values (of_player, amount, bank_reference, by_staff)
  on conflict (reference_key) where state <> 'refused' do nothing
  returning id into made;
  return made;
end
$$;
-- As before; besides it answers 'credited' where the reference is a transaction that is credited.
create or replace function deposits.confirm_bank_deposit(of_deposit bigint, by_staff integer, on_day date) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked deposits.bank_deposit;
begin
  select * into asked from deposits.bank_deposit where id = of_deposit for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'recorded' then return 'decided'; end if;
  if asked.recorded_by = by_staff then return 'same_person'; end if;
  if deposits.is_credited(deposits.transaction_in(asked.bank_reference)) then return 'credited'; end if;
  update deposits.bank_deposit set state = 'confirmed', decided_by = by_staff, decided_at = app.now()
  where id = of_deposit;
  perform ledger.post(array[wallet.deposit_request(
    asked.player_id, on_day, asked.amount, 'bank:' || asked.id)]);
  return 'confirmed';
end
$$;
-- Proposes whose a transfer is. Answers the proposal's id, or a reason: not_found, decided, proposed
-- (another proposal is open), by_bank (a bank deposit has the transaction as its reference).
create function deposits.propose_assignment(of_tx text, of_log integer, to_player integer, why text, by_staff integer)
returns table (said text, assignment_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  asked deposits.transfer;
  earlier text;
  made bigint;
begin
  select * into asked from deposits.transfer where tx_id = of_tx and log_index = of_log for update;
  select state into earlier from deposits.assignment
  where tx_id = of_tx and log_index = of_log and state <> 'refused';
  if asked.tx_id is null then said := 'not_found';
  elsif asked.player_id is not null or earlier = 'confirmed' then said := 'decided';
  elsif earlier = 'proposed' then said := 'proposed';
  elsif exists (select from deposits.bank_deposit
    where state <> 'refused' and position(of_tx in lower(reference_key)) > 0) then said := 'by_bank';
  else
    insert into deposits.assignment (tx_id, log_index, player_id, note, proposed_by, proposed_at, state)
    values (of_tx, of_log, to_player, why, by_staff, app.now(), 'proposed')
    returning id into made;
    assignment_id := made;
  end if;
  return next;
end
$$;

-- Locks the transfer of an assignment and then the assignment, in the order of all who decide.
create function deposits.lock_assignment(of_assignment bigint) returns deposits.assignment
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  asked deposits.assignment;
begin
  perform from deposits.transfer join deposits.assignment using (tx_id, log_index)
  where assignment.id = of_assignment
  for update of transfer;
  select * into asked from deposits.assignment where id = of_assignment for update;
  return asked;
end
$$;

-- Confirms a proposal and credits the transfer as the chain would have. Answers 'confirmed',
-- not_found, decided or same_person.
create function deposits.confirm_assignment(of_assignment bigint, by_staff integer, on_day date) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked deposits.assignment;
  credited bigint;
begin
  asked := deposits.lock_assignment(of_assignment);
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'proposed' then return 'decided'; end if;
  if asked.proposed_by = by_staff then return 'same_person'; end if;
  update deposits.assignment set state = 'confirmed', decided_by = by_staff, decided_at = app.now()
  where id = of_assignment;
  update deposits.transfer set player_id = asked.player_id, credited_at = app.now()
  where tx_id = asked.tx_id and log_index = asked.log_index
  returning amount into strict credited;
  perform ledger.post(array[wallet.deposit_request(asked.player_id, on_day, credited,
    'usdt:' || asked.tx_id || ':' || asked.log_index)]);
  return 'confirmed';
end
$$;

-- Refuses a proposal; nothing is credited. Whoever proposed it may do so too. Answers 'refused',
-- not_found or decided.
create function deposits.refuse_assignment(of_assignment bigint, by_staff integer, why text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked deposits.assignment;
begin
  asked := deposits.lock_assignment(of_assignment);
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'proposed' then return 'decided'; end if;
  update deposits.assignment
  set state = 'refused', decided_by = by_staff, decided_at = app.now(), refuse_reason = why
  where id = of_assignment;
  return 'refused';
end
$$;

-- Dismisses a transfer as nobody's; a proposal that is open is refused with it. Answers 'dismissed',
-- not_found or decided.
create function deposits.dismiss_transfer(of_tx text, of_log integer, by_staff integer, why text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked deposits.transfer;
begin
  select * into asked from deposits.transfer where tx_id = of_tx and log_index = of_log for update;
  if asked.tx_id is null then return 'not_found'; end if;
  if asked.player_id is not null or exists (select from deposits.assignment
    where tx_id = of_tx and log_index = of_log and state = 'confirmed') then return 'decided'; end if;
  update deposits.assignment
  set state = 'refused', decided_by = by_staff, decided_at = app.now(), refuse_reason = why
  where tx_id = of_tx and log_index = of_log and state = 'proposed';
  insert into deposits.assignment (tx_id, log_index, note, proposed_by, proposed_at, state, decided_by, decided_at)
  values (of_tx, of_log, why, by_staff, app.now(), 'confirmed', by_staff, app.now());
  return 'dismissed';
end
$$;

-- Takes a dismissal back. Answers 'waiting', not_found or not_dismissed.
create function deposits.reopen_transfer(of_tx text, of_log integer, by_staff integer, why text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from deposits.transfer where tx_id = of_tx and log_index = of_log for update;
  if not found then return 'not_found'; end if;
  update deposits.assignment
  set state = 'refused', decided_by = by_staff, decided_at = app.now(), refuse_reason = why
  where tx_id = of_tx and log_index = of_log and state = 'confirmed' and player_id is null;
  return case when found then 'waiting' else 'not_dismissed' end;
end
$$;

-- Transfers that reached nobody when they came, with what became of them.
create view deposits.unmatched_transfer as
select transfer.tx_id, transfer.log_index, block, block_at, from_address, to_address, amount,
  case when assignment.id is null then 'waiting' when assignment.player_id is null then 'dismissed'
    else 'proposed' end as state,
  assignment.id as assignment_id, assignment.player_id, note, proposed_by, proposed_at, decided_by, decided_at
from deposits.transfer left join deposits.assignment
  on assignment.tx_id = transfer.tx_id and assignment.log_index = transfer.log_index
    and assignment.state <> 'refused'
where transfer.player_id is null
union all
select transfer.tx_id, transfer.log_index, block, block_at, from_address, to_address, amount, 'assigned',
  assignment.id, assignment.player_id, note, proposed_by, proposed_at, decided_by, decided_at
from deposits.assignment join deposits.transfer using (tx_id, log_index)
where assignment.state = 'confirmed' and assignment.player_id is not null;
grant select on deposits.unmatched_transfer to sum28_application;

-- As before; but what was assigned is that player's, and what was dismissed is no difference.
create or replace function deposits.compare_with_chain(transfers jsonb, after_block bigint, last_block bigint)
returns table (kind text, tx_id text, log_index integer, details jsonb)
language sql stable
begin atomic
  with on_chain as (
    select given.*, address.player_id as owner_id
    from jsonb_to_recordset(transfers) as given (tx_id text, log_index integer, block bigint,
        to_address text, amount bigint)
      left join deposits.address on address.address = given.to_address
    where address.address is not null
      or exists (select from deposits.spare_address spare where spare.address = given.to_address)
  ),
  recorded as (
    select transfer.* from deposits.transfer
    where block > after_block and block <= last_block
      or exists (select from on_chain
        where on_chain.tx_id = transfer.tx_id and on_chain.log_index = transfer.log_index)
  ),
  compared as (
    select coalesce(on_chain.tx_id, recorded.tx_id) as tx_id,
      coalesce(on_chain.log_index, recorded.log_index) as log_index,
      coalesce(on_chain.block, recorded.block) as block,
      on_chain.amount as chain_amount, recorded.amount as recorded_amount, booked.amount as booked_amount,
      on_chain.owner_id, recorded.player_id, settled.id as settled_by,
      on_chain.tx_id is not null as is_on_chain, recorded.tx_id is not null as is_recorded
    from on_chain full join recorded
        on recorded.tx_id = on_chain.tx_id and recorded.log_index = on_chain.log_index
          and recorded.to_address = on_chain.to_address
      left join deposits.assignment settled
        on settled.tx_id = coalesce(on_chain.tx_id, recorded.tx_id)
          and settled.log_index = coalesce(on_chain.log_index, recorded.log_index)
          and settled.state = 'confirmed'
      left join lateral (
        select sum(posting.amount) as amount from ledger.posting
        where posting.holder_id = coalesce(settled.player_id, on_chain.owner_id, recorded.player_id)
          and posting.kind = 'deposit'
          and posting.reference = 'usdt:' || coalesce(on_chain.tx_id, recorded.tx_id) || ':'
            || coalesce(on_chain.log_index, recorded.log_index)
      ) booked on true
  )
  select judged.kind, judged.tx_id, judged.log_index,
    jsonb_strip_nulls(jsonb_build_object('block', block, 'player_id', coalesce(player_id, owner_id),
      'chain_amount', chain_amount::text, 'recorded_amount', recorded_amount::text,
      'booked_amount', booked_amount::text))
  from (
    select compared.*, case
      when not is_on_chain then 'missing_on_chain'
      when not is_recorded then 'missing_in_ledger'
      when chain_amount <> recorded_amount then 'amount_differs'
      when player_id is null then case when settled_by is null then 'unmatched' end
      when booked_amount is null then 'missing_in_ledger'
      when booked_amount <> chain_amount then 'amount_differs'
    end as kind
    from compared
  ) judged
  where judged.kind is not null;
end;
revoke execute on function deposits.transaction_in, deposits.is_credited, deposits.lock_assignment,
  deposits.propose_assignment, deposits.confirm_assignment, deposits.refuse_assignment,
  deposits.dismiss_transfer, deposits.reopen_transfer from public;
grant execute on function deposits.transaction_in, deposits.propose_assignment, deposits.confirm_assignment,
  deposits.refuse_assignment, deposits.dismiss_transfer, deposits.reopen_transfer to sum28_application;
