-- Identity: what a player sends to prove it, its check by staff, and the withdrawals that wait for it.

-- Whether a withdrawal waits for its player's identity: with what was approved before it reaches the sum from which
-- that is asked for. That of a closed account does not: nobody can send one any more.
create or replace function withdrawals.waits_for_identity(withdrawal withdrawals.withdrawal) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return withdrawal.state = 'waiting'
  and not exists (select from accounts.player where player.id = withdrawal.player_id and player.state = 'closed')
  and not exists (select from withdrawals.identity
    where identity.player_id = withdrawal.player_id and identity.state = 'accepted')
  and coalesce(withdrawal.amount + coalesce((select sum(withdrawals.approved_amount(approved))
    from withdrawals.withdrawal approved
    where approved.player_id = withdrawal.player_id and approved.state in ('approved', 'reversed')), 0)
    >= (select identity_from from withdrawals.terms), false);

-- Locks an account, so that of two calls at once the second sees what the first did. Answers why nothing can be sent
-- now: account_locked or identity_sent; null: it can.
create or replace function withdrawals.lock_sender(of_player integer) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  was text;
begin
  -- What is sent may hold the account and gives marks: the balance before the player, as everywhere.
  perform protection.lock_player(of_player);
  select state into was from accounts.player where id = of_player for no key update;
  if was is distinct from 'active' then return 'account_locked'; end if;
  if exists (select from withdrawals.identity where player_id = of_player and state <> 'rejected') then
    return 'identity_sent';
  end if;
  return null;
end
$$;

-- Keeps a picture that is to be sent. Answers 'added', too_many, account_locked or identity_sent.
create or replace function withdrawals.add_identity_picture(of_player integer, content bytea, in_key text, most integer)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  why constant text := withdrawals.lock_sender(of_player);
begin
  if why is not null then return why; end if;
  if (select count(*) from withdrawals.identity_picture where player_id = of_player) >= most then return 'too_many'; end if;
  insert into withdrawals.identity_picture (player_id, encrypted_content, key_id, added_at)
  values (of_player, content, in_key, app.now());
  return 'added';
end
$$;

-- Deletes the pictures that are to be sent. Answers 'cleared', account_locked or identity_sent.
create or replace function withdrawals.clear_identity_pictures(of_player integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  why constant text := withdrawals.lock_sender(of_player);
begin
  if why is not null then return why; end if;
  delete from withdrawals.identity_picture where player_id = of_player;
  return 'cleared';
end
$$;

-- Sends the pictures with what is on them to staff. child_of: the year of birth of a player who says that he is under
-- age: his account is held at once, also without a picture. Answers 'sent', picture_missing, account_locked or
-- identity_sent.
create or replace function withdrawals.send_identity(of_player integer, facts bytea, in_key text, child_of integer)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  why constant text := withdrawals.lock_sender(of_player);
begin
  if why is not null then return why; end if;
  if child_of is null and not exists (select from withdrawals.identity_picture where player_id = of_player) then
    return 'picture_missing';
  end if;
  insert into withdrawals.identity as sent (player_id, state, version, encrypted_facts, key_id, sent_at)
  values (of_player, 'waiting', 1, facts, in_key, app.now())
  on conflict (player_id) do update set state = 'waiting', version = sent.version + 1, sent_at = app.now(),
    encrypted_facts = excluded.encrypted_facts, key_id = excluded.key_id, decided_by = null, decided_at = null,
    reject_reason = null;
  if child_of is not null then perform protection.hold_under_age(of_player, child_of); end if;
  return 'sent';
end
$$;

-- Accepts (reason null) or rejects what a player sent, as the acting member saw it. of_child: by it he is under age. If
-- that is accepted, his withdrawals go on and his account stays held. Answers 'accepted', 'rejected', not_found or
-- decided (also: he has sent it again since).
create or replace function withdrawals.decide_identity(of_player integer, seen_version integer, why text,
  by_session text, of_child boolean default false) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  decided constant text := case when why is null then 'accepted' else 'rejected' end;
  sent withdrawals.identity;
begin
  select * into sent from withdrawals.identity where player_id = of_player for update;
  if sent.player_id is null then return 'not_found'; end if;
  if sent.state <> 'waiting' or sent.version is distinct from seen_version then return 'decided'; end if;
  update withdrawals.identity
  set state = decided, decided_by = by_staff, decided_at = app.now(), reject_reason = why where player_id = of_player;
  if why is not null then
    delete from withdrawals.identity_picture where player_id = of_player;
  elsif not of_child then
    perform protection.set_proved_adult(of_player, true);
  end if;
  perform staff.audit_action(by_session, 'identity_' || decided, 'player:' || of_player,
    jsonb_strip_nulls(jsonb_build_object('version', seen_version, 'reason', why,
      'under_age', case when of_child then true end)));
  return decided;
end
$$;

-- Takes the acceptance of an identity back that was found false later: it is rejected with this reason, withdrawals wait
-- for another, and who once said that he is under age is held until then. The pictures go, so it is another person than
-- the one who accepted them. Answers 'rejected', not_found, decided (it is not accepted, or was sent again since) or
-- same_person.
create or replace function withdrawals.take_back_identity(of_player integer, seen_version integer, why text,
  by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  sent withdrawals.identity;
begin
  -- An approval under way holds this lock; a later one sees what is done here.
  perform protection.lock_player(of_player);
  select * into sent from withdrawals.identity where player_id = of_player for update;
  if sent.player_id is null then return 'not_found'; end if;
  if sent.state <> 'accepted' or sent.version is distinct from seen_version then return 'decided'; end if;
  if sent.decided_by = by_staff then return 'same_person'; end if;
  update withdrawals.identity
  set state = 'rejected', decided_by = by_staff, decided_at = app.now(), reject_reason = why where player_id = of_player;
  delete from withdrawals.identity_picture where player_id = of_player;
  perform protection.set_proved_adult(of_player, false);
  perform staff.audit_action(by_session, 'identity_taken_back', 'player:' || of_player,
    jsonb_build_object('version', seen_version, 'reason', why));
  return 'rejected';
end
$$;

-- Sets from which sum identity is asked for, in micro-units; null: never.
create or replace function withdrawals.set_identity_terms(from_sum bigint, by_session text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  before bigint;
begin
  select identity_from into before from withdrawals.terms for update;
  update withdrawals.terms set identity_from = from_sum;
  perform staff.audit_action(by_session, 'identity_terms_set', 'identity_terms',
    jsonb_build_object('by', by_staff, 'before', app.amount_text(before), 'after', app.amount_text(from_sum)));
end
$$;

grant select on withdrawals.identity, withdrawals.identity_picture to sum28_api, sum28_jobs;
grant delete, update (encrypted_facts, key_id) on withdrawals.identity to sum28_jobs;
grant delete, update (encrypted_content, key_id) on withdrawals.identity_picture to sum28_jobs;
grant execute on function withdrawals.add_identity_picture, withdrawals.clear_identity_pictures,
  withdrawals.decide_identity, withdrawals.send_identity, withdrawals.set_identity_terms,
  withdrawals.take_back_identity, withdrawals.waits_for_identity to sum28_api;
