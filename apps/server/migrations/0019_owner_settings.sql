-- What the application may not decide for itself: the terms of withdrawals, the account that players
-- send to, and who works here with which role. And a check of the audit log that does not read all
-- of it, mails that were taken, and seals that are bound to their pay method.

-- The terms of withdrawals, as the operator configured them. The owner writes them when the product
-- starts; whoever has only the application's role reads them. Until they are written, the strict ones.
create table withdrawals.terms (
  only_one boolean primary key default true check (only_one),
  -- How long a change of what a thief would change holds withdrawals.
  hold interval not null check (hold >= '0'),
  -- From this amount on two people have to approve, in micro-units.
  two_persons_from bigint not null check (two_persons_from >= 0)
);
insert into withdrawals.terms (hold, two_persons_from) values ('24 hours', 10000000000);
grant select on withdrawals.terms to sum28_application;

drop function withdrawals.request(integer, integer, bigint, date, interval, text, bytea);
drop function withdrawals.approve(bigint, integer, bigint);

-- Requests a withdrawal: the money is held at once. The code was checked by the caller.
-- Answers reason (null when it stands, 'replay' when the key was used before) and the request's id.
create function withdrawals.request(of_player integer, of_method integer, amount bigint, on_day date,
  key text, input_hash bytea)
returns table (reason text, withdrawal_id bigint, cash_after bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  cash bigint;
  asker accounts.player;
  said text;
  made bigint;
  left_over bigint;
begin
  if key is not null then
    insert into wallet.idempotency_key (player_id, key, route, input_hash, created_at)
    values (of_player, key, 'withdrawAction', input_hash, app.now())
    on conflict do nothing;
    if not found then
      return query select 'replay'::text, null::bigint, null::bigint;
      return;
    end if;
  end if;

  -- Two requests of one player at once: the second waits here and finds the first. So does a freeze.
  select balance.cash into cash from ledger.balance where holder_id = of_player for no key update;
  select * into asker from accounts.player where player.id = of_player;
  said := case
    when asker.state = 'frozen' then 'account_locked'
    when not exists (select from withdrawals.pay_method
      where pay_method.id = of_method and player_id = of_player and replaced_at is null) then 'pay_method_missing'
    when asker.sensitive_changed_at + (select hold from withdrawals.terms) > app.now() then 'withdrawal_on_hold'
    when exists (select from withdrawals.withdrawal where player_id = of_player and state = 'waiting')
      then 'withdrawal_pending'
    when cash < amount then 'insufficient_balance'
  end;
  if said is null then
    made := nextval('withdrawals.withdrawal_id');
    select posting.cash_after into left_over from ledger.post(array[
      wallet.hold_request(of_player, on_day, amount, 'withdrawal:' || made)]) posting;
    insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, requested_at)
    values (of_player, made, of_method, amount, on_day, left_over, app.now());
  end if;
  if key is not null then
    update wallet.idempotency_key
    set result = jsonb_strip_nulls(jsonb_build_object('reason', said, 'withdrawal_id', made))
    where player_id = of_player and idempotency_key.key = key;
  end if;
  return query select said, made, left_over;
end
$$;

-- Approves; from the threshold on two different people have to. Answers 'approved', 'first' when a
-- second person is needed, or a reason: not_found, decided, frozen, same_person.
create function withdrawals.approve(of_withdrawal bigint, by_staff integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked withdrawals.withdrawal;
begin
  select * into asked from withdrawals.withdrawal where id = of_withdrawal for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'waiting' then return 'decided'; end if;
  -- A freeze that is under way has this lock; after it the player's state is the last one.
  perform from ledger.balance where holder_id = asked.player_id for no key update;
  if (select state from accounts.player where id = asked.player_id) = 'frozen' then return 'frozen'; end if;
  if asked.first_approved_by = by_staff then return 'same_person'; end if;
  if asked.amount >= (select two_persons_from from withdrawals.terms) and asked.first_approved_by is null then
    update withdrawals.withdrawal set first_approved_by = by_staff where id = of_withdrawal;
    return 'first';
  end if;
  update withdrawals.withdrawal set state = 'approved', approved_by = by_staff, decided_at = app.now()
  where id = of_withdrawal;
  perform ledger.post(array[wallet.pay_out_held_request(
    asked.player_id, asked.booked_on, asked.amount, 'withdrawal:' || asked.id)]);
  return 'approved';
end
$$;

revoke execute on function withdrawals.request, withdrawals.approve from public;
grant execute on function withdrawals.request, withdrawals.approve to sum28_application;

-- Nor does the application put back when a player last changed what a thief would change, which is
-- what the hold is counted from, or whether he is frozen.
revoke update on accounts.player from sum28_application;
grant update (password_hash, avatar) on accounts.player to sum28_application;

create function accounts.note_sensitive_change(of_player integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update accounts.player set sensitive_changed_at = app.now() where id = of_player;
end;
revoke execute on function accounts.note_sensitive_change from public;
grant execute on function accounts.note_sensitive_change to sum28_application;

-- The account that players are shown changes only together with its row in the audit log, which has
-- the one there was and the new one. Without a number there is none from now on.
revoke insert, update, delete on deposits.bank_account from sum28_application;

create function deposits.set_bank_account(bank_name text, holder text, number text, by_staff integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  before jsonb;
begin
  -- Of two changes at once the second sees what the first has made; readers do not wait.
  lock table deposits.bank_account in share row exclusive mode;
  select jsonb_build_object('bankName', account.bank_name, 'holder', account.holder, 'number', account.number)
  into before from deposits.bank_account account;
  delete from deposits.bank_account;
  if number is not null then
    insert into deposits.bank_account (bank_name, holder, number) values (bank_name, holder, number);
  end if;
  perform staff.append_audit(by_staff, 'bank_account_set', 'bank_account', jsonb_build_object(
    'before', before,
    'after', case when number is not null
      then jsonb_build_object('bankName', bank_name, 'holder', holder, 'number', number) end));
end
$$;
revoke execute on function deposits.set_bank_account from public;
grant execute on function deposits.set_bank_account to sum28_application;

-- Who works here, with which role and password, changes only together with its row in the audit log.
-- What signing in uses up, and the seal that is made anew when the key changes, are written as before.
revoke insert, update on staff.member from sum28_application;
grant update (totp_step_used, sealed_totp_secret, totp_key_id) on staff.member to sum28_application;
revoke update on staff.session from sum28_application;
grant update (seen_at, ended_at, ended_by) on staff.session to sum28_application;

-- Answers the member's id, or null when the name is taken.
create function staff.make_member(name text, role text, password_hash text, sealed_totp_secret bytea,
  totp_key_id text, made_by text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  made integer;
begin
  insert into staff.member (name, role, password_hash, sealed_totp_secret, totp_key_id)
  values (name, role, password_hash, sealed_totp_secret, totp_key_id)
  on conflict on constraint staff_name_taken do nothing returning id into made;
  if made is not null then
    perform staff.append_audit(null, 'staff_made', 'staff:' || made,
      jsonb_build_object('name', name, 'role', role, 'by', made_by));
  end if;
  return made;
end
$$;

-- Gives new credentials, and another role unless that is null; ends every session, and opens a closed
-- account. Answers the role, or null when there is nobody of that name.
create function staff.reset_member(of_name text, new_role text, new_password_hash text,
  new_sealed_totp_secret bytea, new_totp_key_id text, reset_by text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  reset staff.member;
begin
  update staff.member set role = coalesce(new_role, role), password_hash = new_password_hash,
    sealed_totp_secret = new_sealed_totp_secret, totp_key_id = new_totp_key_id, totp_step_used = 0, active = true
  where name = of_name returning * into reset;
  if reset.id is null then return null; end if;
  update staff.session set ended_at = app.now(), ended_by = 'reset'
  where staff_id = reset.id and ended_at is null;
  perform staff.append_audit(null, 'staff_reset', 'staff:' || reset.id,
    jsonb_build_object('name', reset.name, 'role', reset.role, 'by', reset_by));
  return reset.role;
end
$$;

-- Closes an account and ends its sessions. Answers whether there is somebody of that name.
create function staff.close_member(of_name text, closed_by text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  closed staff.member;
begin
  update staff.member set active = false where name = of_name returning * into closed;
  if closed.id is null then return false; end if;
  update staff.session set ended_at = app.now(), ended_by = 'inactive'
  where staff_id = closed.id and ended_at is null;
  perform staff.append_audit(null, 'staff_closed', 'staff:' || closed.id,
    jsonb_build_object('name', closed.name, 'by', closed_by));
  return true;
end
$$;
revoke execute on function staff.make_member, staff.reset_member, staff.close_member from public;
grant execute on function staff.make_member, staff.reset_member, staff.close_member to sum28_application;

-- Checks the rows after one that was checked before, that one's own hash, the rows that are shown,
-- and the log's end. Answers the first place that is not what was written, or none, and the last row
-- there is: what was checked up to now, for the next time.
create function staff.audit_check(after_id bigint, after_hash bytea, first_shown bigint, last_shown bigint)
returns table (place bigint, last_id bigint, last_hash bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with looked_at as (
    select audit.*, after_id + row_number() over chain as due,
      coalesce(lag(hash) over chain, after_hash) as expected_previous
    from staff.audit where id > after_id
    window chain as (order by id)
    union all
    select audit.*, first_shown - 1 + row_number() over chain,
      coalesce(lag(hash) over chain,
        case first_shown when 1 then sha256('')
          else (select before.hash from staff.audit before where before.id = first_shown - 1) end)
    from staff.audit where id between first_shown and last_shown
    window chain as (order by id)
  ), last as (
    select id, hash from staff.audit
    union all
    select 0, sha256('')
    order by id desc limit 1
  )
  select least(
      (select min(due) from looked_at
       where id <> due or previous_hash is distinct from expected_previous
         or hash <> staff.audit_hash(id, at, staff_id, action, subject, details, previous_hash)),
      case when after_id > 0
        and not exists (select from staff.audit known where known.id = after_id and known.hash = after_hash)
        then after_id end,
      case
        when last.id <> head.id then least(last.id, head.id) + 1
        when last.hash <> head.hash then head.id
      end),
    last.id, last.hash
  from last, staff.audit_head head;
end;
-- The whole log, as before.
create or replace function staff.audit_break() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select place from staff.audit_check(0, sha256(''), null, null));

revoke execute on function staff.audit_check from public;
grant execute on function staff.audit_check to sum28_application;

-- Mails that the mail server took: a job that is begun again finds its mail here and sends none.
create table app.sent_mail (
  mail_id text primary key,
  sent_at timestamptz not null default app.now()
);
create index sent_mail_by_age on app.sent_mail (sent_at);
grant select, insert, delete on app.sent_mail to sum28_application;

-- What the seal of a pay method's number is bound to: 1 the player alone, as it was until now; 2 the
-- player and the method, so that it opens in no other row. The id is taken before the number is sealed.
alter table withdrawals.pay_method add column seal_form smallint not null default 1
  check (seal_form in (1, 2));
grant update (seal_form) on withdrawals.pay_method to sum28_application;
grant usage on sequence withdrawals.pay_method_id_seq to sum28_application;
-- The player's own remark: it changes nothing about where money goes.
grant update (note) on withdrawals.pay_method to sum28_application;
