-- Security codes, document numbers, pay methods, and withdrawals: held at the request, paid out or returned.

create schema withdrawals;
grant usage on schema withdrawals to sum28_application;

create table accounts.security_code (
  player_id integer primary key references accounts.player,
  code_hash text not null,
  changed_at timestamptz not null default app.now(),
  -- Wrong tries since the last right one; the fifth locks withdrawals for a day.
  tries smallint not null default 0,
  locked_until timestamptz
);
grant select, insert, update on accounts.security_code to sum28_application;

-- When a player last changed what a thief would change; withdrawals are held for a while after it.
alter table accounts.player add column sensitive_changed_at timestamptz;

-- The number of an identity document that the player gave, encrypted.
create table accounts.document (
  player_id integer primary key references accounts.player,
  sealed_number bytea not null,
  shown_number text not null,
  key_id text not null,
  changed_at timestamptz not null default app.now()
);
grant select, insert, update on accounts.document to sum28_application;

create table withdrawals.pay_method (
  id integer generated always as identity primary key,
  player_id integer not null references accounts.player,
  kind text not null check (kind in ('bank', 'wallet')),
  -- Card number or wallet address, encrypted; what may be shown of it; and the key it is under.
  sealed_number bytea not null,
  shown_number text not null,
  key_id text not null,
  -- Bank: the holder. Wallet: the wallet's type.
  label text not null,
  bank_name text not null default '',
  branch_code text not null default '',
  branch_name text not null default '',
  note text not null default '',
  created_at timestamptz not null default app.now(),
  -- A method that was replaced stays for the withdrawals that name it.
  replaced_at timestamptz
);
create unique index one_pay_method_of_a_kind on withdrawals.pay_method (player_id, kind)
  where replaced_at is null;
grant select, insert on withdrawals.pay_method to sum28_application;
-- The seal is made anew when the key changes; what it holds never changes.
grant update (replaced_at, sealed_number, key_id) on withdrawals.pay_method to sum28_application;

create sequence withdrawals.withdrawal_id;
create table withdrawals.withdrawal (
  player_id integer not null references accounts.player,
  id bigint not null unique,
  pay_method_id integer not null references withdrawals.pay_method,
  amount bigint not null check (amount > 0),
  -- The day its postings are booked on.
  booked_on date not null,
  cash_after bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected')),
  requested_at timestamptz not null default app.now(),
  first_approved_by integer references staff.member,
  approved_by integer references staff.member,
  rejected_by integer references staff.member,
  reject_reason text,
  decided_at timestamptz,
  -- The transaction or bank reference of the payout, once it was made.
  payout_reference text,
  payout_recorded_by integer references staff.member,
  paid_at timestamptz,
  primary key (player_id, id),
  check ((state = 'waiting') = (decided_at is null)),
  check ((state = 'approved') = (approved_by is not null)),
  check ((state = 'rejected') = (rejected_by is not null)),
  check (first_approved_by is null or first_approved_by is distinct from approved_by),
  check ((payout_reference is null) = (paid_at is null)),
  check (payout_reference is null or state = 'approved')
);
create unique index one_waiting_withdrawal on withdrawals.withdrawal (player_id) where state = 'waiting';
-- However two people type its blanks and letters.
create unique index payout_reference_once on withdrawals.withdrawal
  (upper(regexp_replace(payout_reference, '\s', '', 'g'))) where payout_reference is not null;
-- The orders in which staff see them: who waits, longest first, before the decided, latest first.
create index withdrawal_in_order on withdrawals.withdrawal
  ((state <> 'waiting'), (case state when 'waiting' then id else -id end));
create index withdrawal_in_state on withdrawals.withdrawal
  (state, (case state when 'waiting' then id else -id end));

create function withdrawals.guard_withdrawal() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (new.player_id, new.id, new.pay_method_id, new.amount, new.booked_on, new.cash_after, new.requested_at)
    is distinct from
     (old.player_id, old.id, old.pay_method_id, old.amount, old.booked_on, old.cash_after, old.requested_at)
    or (old.first_approved_by is not null and new.first_approved_by is distinct from old.first_approved_by)
    or (old.state <> 'waiting'
      and (new.state, new.first_approved_by, new.approved_by, new.rejected_by, new.reject_reason, new.decided_at)
        is distinct from
          (old.state, old.first_approved_by, old.approved_by, old.rejected_by, old.reject_reason, old.decided_at))
    or (old.payout_reference is not null and (new.payout_reference, new.payout_recorded_by, new.paid_at)
      is distinct from (old.payout_reference, old.payout_recorded_by, old.paid_at))
  then
    raise exception 'withdrawal % is decided, and what was asked for never changes', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger withdrawal_guarded before update on withdrawals.withdrawal
  for each row execute function withdrawals.guard_withdrawal();
create trigger withdrawal_never_deleted before delete on withdrawals.withdrawal
  for each row execute function app.refuse_change();
create trigger withdrawal_never_truncated before truncate on withdrawals.withdrawal
  for each statement execute function app.refuse_change();

-- As before, but the time is read once the balances are held: whoever waited for one was later, and
-- a holder's postings are in the order of their times as of their ids.
create or replace function ledger.post(requests ledger.posting_request[]) returns setof ledger.posting
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz;
begin
  perform from ledger.balance
  where holder_id in (select request.holder_id from unnest(requests) request)
  order by holder_id
  for no key update;
  moment := app.now();

  return query
  with effect as (
    -- The scan gives the requests in their order, and so the ids ascend with them.
    select request.*, nextval('ledger.posting_id') as id,
      case 'cash' when destination then amount when source then -amount else 0 end as cash_change,
      case 'held' when destination then amount when source then -amount else 0 end as held_change
    from unnest(requests) with ordinality request
  ),
  running as (
    select effect.*,
      sum(cash_change) over so_far as cash_run,
      sum(held_change) over so_far as held_run
    from effect
    window so_far as (partition by holder_id order by ordinality)
  ),
  moved as (
    update ledger.balance
    set cash = cash + change.cash_change, held = held + change.held_change
    from (
      select holder_id, sum(cash_change)::bigint as cash_change, sum(held_change)::bigint as held_change
      from effect group by holder_id
    ) change
    where balance.holder_id = change.holder_id
    returning balance.holder_id,
      balance.cash - change.cash_change as cash_before,
      balance.held - change.held_change as held_before
  )
  insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination,
    amount, cash_after, held_after, reference)
  select running.holder_id, running.id, booked_on, moment, kind, source, destination,
    amount, (coalesce(cash_before, 0) + cash_run)::bigint, (coalesce(held_before, 0) + held_run)::bigint,
    reference
  from running
  left join moved using (holder_id)
  returning *;
end
$$;

create function wallet.hold_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'withdrawal', 'cash', 'held', amount, reference)::ledger.posting_request;

create function wallet.pay_out_held_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'withdrawal_paid', 'held', 'house:treasury', amount, reference)::ledger.posting_request;

create function wallet.return_held_request(player_id integer, booked_on date, amount bigint, reference text)
returns ledger.posting_request language sql immutable
return row(player_id, booked_on, 'withdrawal_returned', 'held', 'cash', amount, reference)::ledger.posting_request;

-- Requests a withdrawal: the money is held at once. The code was checked by the caller.
-- Answers reason (null when it stands, 'replay' when the key was used before) and the request's id.
create function withdrawals.request(of_player integer, of_method integer, amount bigint, on_day date,
  hold interval, key text, input_hash bytea)
returns table (reason text, withdrawal_id bigint, cash_after bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  cash bigint;
  changed_at timestamptz;
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

  -- Two requests of one player at once: the second waits here and finds the first.
  select balance.cash into cash from ledger.balance where holder_id = of_player for no key update;
  select sensitive_changed_at into changed_at from accounts.player where player.id = of_player;
  said := case
    when not exists (select from withdrawals.pay_method
      where pay_method.id = of_method and player_id = of_player and replaced_at is null) then 'pay_method_missing'
    when changed_at + hold > app.now() then 'withdrawal_on_hold'
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
-- second person is needed, or a reason: not_found, decided, same_person.
create function withdrawals.approve(of_withdrawal bigint, by_staff integer, threshold bigint) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked withdrawals.withdrawal;
begin
  select * into asked from withdrawals.withdrawal where id = of_withdrawal for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'waiting' then return 'decided'; end if;
  if asked.first_approved_by = by_staff then return 'same_person'; end if;
  if asked.amount >= threshold and asked.first_approved_by is null then
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

-- Rejects and returns the money. Answers 'rejected', not_found or decided.
create function withdrawals.reject(of_withdrawal bigint, by_staff integer, why text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked withdrawals.withdrawal;
begin
  select * into asked from withdrawals.withdrawal where id = of_withdrawal for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'waiting' then return 'decided'; end if;
  update withdrawals.withdrawal
  set state = 'rejected', rejected_by = by_staff, reject_reason = why, decided_at = app.now()
  where id = of_withdrawal;
  perform ledger.post(array[wallet.return_held_request(
    asked.player_id, asked.booked_on, asked.amount, 'withdrawal:' || asked.id)]);
  return 'rejected';
end
$$;

-- Records that an approved withdrawal was paid, and how. Answers 'paid', not_found, not_approved,
-- paid_already, or reference_used.
create function withdrawals.record_payout(of_withdrawal bigint, by_staff integer, reference text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked withdrawals.withdrawal;
begin
  select * into asked from withdrawals.withdrawal where id = of_withdrawal for update;
  if asked.id is null then return 'not_found'; end if;
  if asked.state <> 'approved' then return 'not_approved'; end if;
  if asked.payout_reference is not null then return 'paid_already'; end if;
  update withdrawals.withdrawal
  set payout_reference = reference, payout_recorded_by = by_staff, paid_at = app.now()
  where id = of_withdrawal;
  return 'paid';
exception when unique_violation then
  return 'reference_used';
end
$$;

revoke execute on all functions in schema withdrawals from public;
grant execute on function withdrawals.request, withdrawals.approve, withdrawals.reject,
  withdrawals.record_payout to sum28_application;
grant select on withdrawals.withdrawal to sum28_application;
