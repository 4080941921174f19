-- People: players, their sessions and their mailed codes.

-- How long to wait after so many tries, of which some are free: a second, doubled for each more.
create or replace function accounts.wait_after(tries integer, free integer, wait_max integer) returns interval
language sql immutable
return case when tries < free then interval '0'
  else make_interval(secs => least(2 ^ least(tries - free, 30), wait_max)) end;

-- The application cannot put back when a player last changed what a thief would change, which is what
-- the hold is counted from: it can only say that he did so now.
create or replace function accounts.note_sensitive_change(of_player integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update accounts.player set sensitive_changed_at = app.now() where id = of_player;
end;

-- Freezes a person's account: his sessions and remembered devices end, and bets under way come first.
-- Answers 'frozen', not_found or already.
create or replace function accounts.freeze_player(of_player integer, why text, by_staff integer) returns text
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
create or replace function accounts.unfreeze_player(of_player integer, why text, by_staff integer) returns text
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

-- What the application may do.
revoke all on all tables in schema accounts from sum28_application;
revoke execute on all functions in schema accounts from public, sum28_application;
grant usage on schema accounts to sum28_application;
grant delete, insert, select, update on accounts.counter, accounts.known_network,
  accounts.uploaded_picture to sum28_application;
grant insert, select on accounts.player to sum28_application;
grant insert, select, update on accounts.document, accounts.email_code, accounts.remembered_device,
  accounts.security_code, accounts.session to sum28_application;
grant select on accounts.freezing to sum28_application;
grant update (avatar, password_hash) on accounts.player to sum28_application;
grant execute on function accounts.freeze_player, accounts.note_sensitive_change,
  accounts.unfreeze_player, accounts.wait_after to sum28_application;
