-- The operator's people, their sessions, and the audit log of everything they do.

select app.refuse('update or delete', 'staff.audit', 'staff.audit_signature', 'staff.shift_note');

-- The hash of a row and of all before it. Rows of commands on the machine and of failed sign-ins have no session.
create or replace function staff.audit_hash(id bigint, at timestamptz, staff_id integer, action text, subject text,
  details jsonb, previous_hash bytea, session_id bigint) returns bytea
language sql immutable
return sha256(previous_hash || convert_to((
  jsonb_build_array(id, extract(epoch from at)::text, staff_id, action, subject, details)
    || case when session_id is null then jsonb_build_array() else jsonb_build_array(session_id) end)::text, 'UTF8'));

-- Writes a row of the audit log; no other function does. Without a session: commands on the machine, and failed
-- sign-ins. Returns the row's number.
create or replace function staff.write_audit(staff_id integer, session_id bigint, action text, subject text, details jsonb)
returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  head staff.audit_head;
  moment timestamptz;
begin
  -- One transaction writes at a time; the next waits until it ends.
  select * into head from staff.audit_head for update;
  moment := app.now();
  insert into staff.audit (id, at, staff_id, session_id, action, subject, details, previous_hash, hash)
  values (head.id + 1, moment, staff_id, session_id, action, subject, details, head.hash,
    staff.audit_hash(head.id + 1, moment, staff_id, action, subject, details, head.hash, session_id))
  returning audit.id, audit.hash into head.id, head.hash;
  update staff.audit_head set id = head.id, hash = head.hash;
  return head.id;
end
$$;

-- The member whose session has this token, if the session is live and his role is one of these; else it
-- raises STAFF with the reason. It takes the token, which is stored nowhere, and not its hash, which can be
-- read in the table. Until the transaction ends nobody can change the member's role or close his account.
create or replace function staff.acting(session_token text, variadic roles text[]) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  hash constant bytea := sha256(convert_to(session_token, 'UTF8'));
  who staff.member;
  held staff.session;
begin
  -- The member is locked before his sessions are read, in the order in which an account is closed.
  select * into who from staff.member
  where id = (select staff_id from staff.session where token_hash = hash) for share;
  select * into held from staff.session where token_hash = hash;
  if held.id is null or held.ended_by = 'logout' then
    raise exception 'session_unknown' using errcode = 'STAFF';
  elsif held.ended_at is not null or not who.active then
    raise exception 'session_replaced' using errcode = 'STAFF';
  elsif held.seen_at < app.now() - interval '15 minutes' or held.created_at < app.now() - interval '12 hours' then
    raise exception 'session_expired' using errcode = 'STAFF';
  elsif who.role <> all (roles) then
    raise exception 'forbidden' using errcode = 'STAFF';
  end if;
  return who.id;
end
$$;

-- The same for what changes the member himself: of two at once the second waits here, and not each for the other's share.
create or replace function staff.acting_alone(session_token text, variadic roles text[]) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from staff.member
  where id = (select staff_id from staff.session where token_hash = sha256(convert_to(session_token, 'UTF8')))
  for no key update;
  return staff.acting(session_token, variadic roles);
end
$$;

-- Logs an action of a member of staff in his session, whatever his role.
create or replace function staff.audit_action(by_session text, action text, subject text, details jsonb) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
  return staff.write_audit(
    staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor'),
    (select session.id from staff.session where token_hash = sha256(convert_to(by_session, 'UTF8'))),
    action, subject, details);
end
$$;

-- Begins a session for a member who has signed in, and logs it: there is no session without its row.
create or replace function staff.begin_session(of_token_hash bytea, of_staff integer, address text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  begun bigint;
begin
  insert into staff.session (token_hash, staff_id, address) values (of_token_hash, of_staff, address)
  returning id into begun;
  perform staff.write_audit(of_staff, begun, 'signed_in', 'staff:' || of_staff,
    jsonb_build_object('address', address));
end
$$;

-- Ends a session and logs it; false if it had ended before.
create or replace function staff.end_session(of_token_hash bytea, address text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended staff.session;
begin
  update staff.session set ended_at = app.now(), ended_by = 'logout'
  where token_hash = of_token_hash and ended_at is null returning * into ended;
  if ended.id is null then return false; end if;
  perform staff.write_audit(ended.staff_id, ended.id, 'signed_out', 'staff:' || ended.staff_id,
    jsonb_build_object('address', address));
  return true;
end
$$;

-- Logs a failed sign-in, if there is a member of that name: one row a minute for each name.
create or replace function staff.audit_failed_sign_in(of_name text, address text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tried constant integer := (select id from staff.member where name = of_name);
begin
  -- One of several at once writes the row, and the others see it.
  perform from staff.member where id = tried for no key update;
  if tried is null or (
    select at <= app.now() and app.now() < at + interval '1 minute' from staff.audit
    where staff_id = tried and action = 'sign_in_failed' order by id desc limit 1) then return; end if;
  perform staff.write_audit(tried, null, 'sign_in_failed', 'staff:' || tried, jsonb_build_object('address', address));
end
$$;

-- Stores the signature of a row, if the row's hash is still the signed one; false if it is not, or if the row has a
-- signature with that key.
create or replace function staff.sign_audit(of_row bigint, of_hash bytea, with_mac bytea, with_key text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into staff.audit_signature (audit_id, mac, key_id)
  select id, with_mac, with_key from staff.audit where id = of_row and hash = of_hash
  on conflict do nothing;
  return found;
end
$$;

-- Ends a session of the caller's own. Answers 'closed' or not_found.
create or replace function staff.end_own_session(of_session bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
begin
  update staff.session set ended_at = app.now(), ended_by = 'logout'
  where id = of_session and staff_id = by_staff and ended_at is null;
  if not found then return 'not_found'; end if;
  perform staff.audit_action(by_session, 'session_ended', 'staff:' || by_staff,
    jsonb_build_object('session', of_session));
  return 'closed';
end
$$;

-- Raises proof_required unless the session's member has proved within so many minutes that it is him.
create or replace function staff.require_confirmation(by_session text, minutes integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
  if not exists (select from staff.session where token_hash = sha256(convert_to(by_session, 'UTF8'))
    and confirmed_at >= app.now() - make_interval(mins => minutes)) then
    raise exception 'proof_required' using errcode = 'STAFF';
  end if;
end
$$;

-- Notes that the session's member has just proved that it is him.
create or replace function staff.note_confirmation(by_session text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
  update staff.session set confirmed_at = app.now(), proved_at = app.now()
  where token_hash = sha256(convert_to(by_session, 'UTF8'));
end
$$;

-- Notes that the member of this session has just proved by password and code that it is he. False if he may not.
create or replace function staff.note_proof(of_token_hash bytea, checked_hash text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update staff.session set proved_at = app.now() where token_hash = of_token_hash and ended_at is null
    and exists (select from staff.member where id = staff_id and password_hash = checked_hash and active);
  return found;
end
$$;

-- Uses up such a proof, which is good for a minute and for one thing. Returns whether there was one.
create or replace function staff.use_proof(session_token text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(session_token, 'owner', 'finance', 'support', 'editor', 'auditor');
  update staff.session set proved_at = null
  where token_hash = sha256(convert_to(session_token, 'UTF8'))
    and proved_at > app.now() - interval '1 minute' and proved_at <= app.now();
  return found;
end
$$;

-- Checks the rows after the last checked one, so many at most (null: all), that one's own hash, and the log's end when it
-- is reached. Returns the first row that was changed or removed, or null; the number and hash of the last row that was read,
-- from which the next check continues; and whether it is the log's last.
create or replace function staff.audit_check(after_id bigint, after_hash bytea, at_most integer)
returns table (broken_id bigint, last_id bigint, last_hash bytea, is_end boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with unchecked as (
    select step.*, after_id + row_number() over chain as due,
      coalesce(lag(hash) over chain, after_hash) as expected_previous
    from (select * from staff.audit where id > after_id order by id limit at_most) step
    window chain as (order by id)
  ), checked as (
    select coalesce(max(id), after_id) as last_id, min(due) filter (
      where id <> due or previous_hash is distinct from expected_previous
        or hash <> staff.audit_hash(id, at, staff_id, action, subject, details, previous_hash, session_id)) as broken_id
    from unchecked
  ), last as (
    (select id, hash from staff.audit order by id desc limit 1)
    union all
    select 0, sha256('') where not exists (select from staff.audit)
  )
  select least(
      checked.broken_id,
      case when after_id > 0
        and not exists (select from staff.audit before where before.id = after_id and before.hash = after_hash)
        then after_id end,
      case
        when checked.last_id < last.id then null
        when last.id <> head.id then least(last.id, head.id) + 1
        when last.hash <> head.hash then head.id
      end),
    checked.last_id,
    coalesce((select hash from staff.audit where id = checked.last_id), after_hash),
    checked.last_id >= last.id
  from checked, last, staff.audit_head head;
end;

-- Freezes a person's account: he is signed out everywhere. It waits for running bets. Answers 'frozen',
-- not_found, already_frozen or account_closed.
create or replace function staff.freeze_player(of_player integer, why text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
  was text;
begin
  -- The locks that bets and withdrawals take, in the same order.
  perform from ledger.balance where holder_id = of_player for no key update;
  select state into was from accounts.player
  where player.id = of_player and accounts.is_person(player) for no key update;
  if was is null then return 'not_found'; end if;
  if was = 'frozen' then return 'already_frozen'; end if;
  if was = 'closed' then return 'account_closed'; end if;
  update accounts.player set state = 'frozen' where player.id = of_player;
  perform accounts.sign_out(of_player, 'frozen');
  insert into accounts.freezing (player_id, reason, frozen_by, frozen_at)
  values (of_player, why, by_staff, app.now());
  return 'frozen';
end
$$;

-- Ends the freeze that began in the second which the caller has seen. Answers 'active', not_found, not_frozen or decided
-- (it is another freeze).
create or replace function staff.unfreeze_player(of_player integer, why text, seen timestamptz, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  was text;
begin
  select state into was from accounts.player
  where player.id = of_player and accounts.is_person(player) for no key update;
  if was is null then return 'not_found'; end if;
  if was <> 'frozen' then return 'not_frozen'; end if;
  update accounts.freezing set lifted_by = by_staff, lifted_at = app.now(), lift_reason = why
  where player_id = of_player and lifted_at is null and date_trunc('second', frozen_at) = seen;
  if not found then return 'decided'; end if;
  update accounts.player set state = 'active' where player.id = of_player;
  return 'active';
end
$$;

-- Who has taken a payment to make it, as the number of the member of staff; null: nobody.
create or replace function staff.taker_of(about text) returns integer
language sql stable set search_path = pg_catalog, pg_temp
return (select taken_by from staff.taken_payment where subject = about);

-- The same of a person who may still make it: null also if he has left, or has another role.
create or replace function staff.payer_of(about text) returns integer
language sql stable set search_path = pg_catalog, pg_temp
return (select id from staff.member where id = staff.taker_of(about) and active and role in ('owner', 'finance'));

-- Why somebody else than the taker may do nothing with a payment.
create or replace function staff.why_not_taken(taker integer) returns text
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  if taker is null then return 'payment_not_taken'; end if;
  return 'payment_taken';
end
$$;

-- Takes a payment for a member of staff, from nobody or from the person with this name alone: of two who take at once the
-- second is refused. The caller has locked what is paid. Answers 'taken', payment_taken (by another person than
-- that), or payment_not_taken (by nobody any more).
create or replace function staff.take_payment(about text, taker integer, taken_from text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  holder constant integer := staff.taker_of(about);
begin
  if holder = taker then return 'taken'; end if;
  if (select name from staff.member where id = holder) is distinct from taken_from then
    return staff.why_not_taken(holder);
  end if;
  insert into staff.taken_payment (subject, taken_by, taken_at) values (about, taker, app.now())
  on conflict (subject) do update set taken_by = excluded.taken_by, taken_at = excluded.taken_at,
    had_by = taken_payment.had_by || taken_payment.taken_by;
  return 'taken';
end
$$;

-- Whether a member of staff said that a payment was not made, which nobody else has released since: he does not make it.
create or replace function staff.has_denied(about text, member integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from staff.payment_denial where subject = about and staff_id = member);

-- Keeps that a member of staff says that a payment was not made: neither he makes it, nor whoever had it before him in what
-- was taken. The caller has locked what is paid.
create or replace function staff.deny_payment(about text, denier integer, taken staff.taken_payment default null)
returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  insert into staff.payment_denial (subject, staff_id, at)
  select about, had.member, taken.taken_at from unnest(taken.had_by || taken.taken_by) had (member)
  where had.member <> denier group by had.member
  union all
  select about, denier, app.now()
  on conflict (subject, staff_id) do update set at = excluded.at;
end;

-- Whether anybody said so, which nobody else has released since.
create or replace function staff.is_denied(about text) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from staff.payment_denial where subject = about);

-- Lets a payment be made by anybody again, as a person says who did not say that it was not made: it was not. He has seen what
-- was said until the second `seen`, and says nothing of a later payment. The caller has locked what is paid. Answers
-- 'released', decided (nobody says so any more, or somebody said it later), or same_person.
create or replace function staff.release_payment(about text, member integer, seen timestamptz) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if staff.has_denied(about, member) then return 'same_person'; end if;
  delete from staff.payment_denial
  where subject = about
    and (select max(date_trunc('second', at)) from staff.payment_denial where subject = about) <= seen;
  if found then return 'released'; end if;
  return 'decided';
end
$$;

-- Ends what was kept of a payment, which is recorded now.
create or replace function staff.end_payment(about text) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  delete from staff.taken_payment where subject = about;
  delete from staff.payment_denial where subject = about;
end;

-- Gives a payment back that its taker has not made, as the giver says: all who had it are kept from it. That of one who
-- has left or has another role, anybody who may pay gives back. The caller has locked what is paid. Answers 'given_back',
-- payment_not_taken, or payment_taken: by another person.
create or replace function staff.give_payment_back(about text, giver integer) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  taken staff.taken_payment;
begin
  delete from staff.taken_payment where subject = about and (taken_by = giver or staff.payer_of(about) is null)
  returning * into taken;
  if not found then return staff.why_not_taken(staff.taker_of(about)); end if;
  perform staff.deny_payment(about, giver, taken);
  return 'given_back';
end
$$;

-- Writes a note for the next shift. Returns its number.
create or replace function staff.write_shift_note(note text, by_session text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
  made integer;
begin
  insert into staff.shift_note (written_by, text) values (by_staff, note) returning id into made;
  perform staff.audit_action(by_session, 'shift_note_written', 'shift_note:' || made, '{}');
  return made;
end
$$;

-- Chooses the kinds of alerts that are mailed to the caller.
create or replace function staff.choose_alerts(chosen text[], by_session text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting_alone(by_session, 'owner', 'finance', 'support', 'editor', 'auditor');
begin
  update staff.member set alerts = chosen where id = by_staff;
  perform staff.audit_action(by_session, 'alerts_chosen', 'staff:' || by_staff, jsonb_build_object('after', chosen));
end
$$;

-- Adds a receiver of alerts. Answers its number, or null if there are five.
create or replace function staff.add_webhook(url text, kinds text[], salt bytea, key_id text, by_session text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
  made integer;
begin
  lock table staff.webhook in share row exclusive mode;
  if (select count(*) from staff.webhook where ended_at is null) >= 5 then return null; end if;
  insert into staff.webhook (url, kinds, salt, key_id, made_by) values (url, kinds, salt, key_id, by_staff)
  returning id into made;
  perform staff.audit_action(by_session, 'webhook_added', 'webhook:' || made,
    jsonb_build_object('url', url, 'kinds', kinds));
  return made;
end
$$;

-- Removes a receiver of alerts; what is on its way to it is dropped. Answers 'closed' or not_found.
create or replace function staff.remove_webhook(of_webhook integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner');
begin
  update staff.webhook set ended_at = app.now() where id = of_webhook and ended_at is null;
  if not found then return 'not_found'; end if;
  delete from staff.alert_delivery where webhook_id = of_webhook and sent_at is null;
  perform staff.audit_action(by_session, 'webhook_removed', 'webhook:' || of_webhook, '{}');
  return 'closed';
end
$$;

grant select on staff.alert_delivery, staff.audit, staff.audit_signature, staff.payment_denial, staff.taken_payment,
  staff.webhook to sum28_api, sum28_jobs;
grant select on staff.member, staff.passkey, staff.passkey_role, staff.recovery_code, staff.session, staff.shift_note to
  sum28_api;
grant select (broken_id, broken_since, broken_by_file) on staff.audit_head to sum28_api, sum28_jobs;
grant update (broken_id, broken_since, broken_by_file) on staff.audit_head to sum28_jobs;
grant update (totp_time_step, code_tries, code_tried_at) on staff.member to sum28_api;
grant update (seen_at) on staff.session to sum28_api;
grant delete, insert, select, update on staff.alert, staff.alert_delivery to sum28_jobs;
grant update (ended_at, failed_since, failure) on staff.webhook to sum28_jobs;
grant select (id, name, role, email, alerts, active, enrolled_at, created_at, code_tries, code_tried_at,
  encrypted_totp_secret, totp_key_id), update (encrypted_totp_secret, totp_key_id) on staff.member to sum28_jobs;
grant execute on function staff.audit_check to sum28_api, sum28_jobs;
grant execute on function staff.add_webhook, staff.audit_action, staff.audit_failed_sign_in, staff.begin_session,
  staff.choose_alerts, staff.end_own_session, staff.end_session, staff.freeze_player, staff.is_denied,
  staff.note_confirmation, staff.note_proof, staff.remove_webhook, staff.require_confirmation, staff.unfreeze_player,
  staff.write_shift_note to sum28_api;
grant execute on function staff.sign_audit to sum28_jobs;
