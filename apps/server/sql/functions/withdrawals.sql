-- Withdrawals: held at the request, paid out or released.

-- The least that a player may request, in micro-units: WITHDRAWAL_MIN, as a test says. The rest of an account that he
-- closes may be less.
create or replace function withdrawals.smallest() returns bigint
language sql immutable
return 100000000;

-- What an approved withdrawal pays, or may still pay; of one that was reversed, the part that was paid.
create or replace function withdrawals.approved_amount(withdrawal withdrawals.withdrawal) returns bigint
language sql immutable
return case withdrawal.state when 'reversed' then withdrawal.paid_part else withdrawal.amount end;

-- Whether a payment by a bank becomes what another person says than who named it last: unpaid, since the bank has sent
-- it back; or only its reference is corrected.
create or replace function withdrawals.is_mended(was withdrawals.withdrawal, becomes withdrawals.withdrawal)
returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return was.payout_chain is null and (
  exists (select from staff.payment_denial where subject = 'withdrawal:' || was.id
    and staff_id <> coalesce(was.payout_corrected_by, was.payout_recorded_by))
  or coalesce(becomes.payout_key <> was.payout_key
      and becomes.payout_corrected_by <> coalesce(was.payout_corrected_by, was.payout_recorded_by), false)
    and (becomes.payout_batch, becomes.payout_recorded_by, becomes.paid_at, becomes.sent_at, becomes.payout_chain)
      is not distinct from (was.payout_batch, was.payout_recorded_by, was.paid_at, was.sent_at, null));

create or replace function withdrawals.guard_withdrawal() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.payout_key := app.reference_key(new.payout_reference);
  if (new.player_id, new.id, new.pay_method_id, new.amount, new.booked_on, new.cash_after, new.requested_at,
      new.requested_by)
    is distinct from
     (old.player_id, old.id, old.pay_method_id, old.amount, old.booked_on, old.cash_after, old.requested_at,
      old.requested_by)
    or (old.first_approved_by is not null and new.first_approved_by is distinct from old.first_approved_by)
    or (old.state <> 'waiting'
      and (new.first_approved_by, new.approved_by, new.rejected_by, new.reject_reason, new.decided_at)
        is distinct from
          (old.first_approved_by, old.approved_by, old.rejected_by, old.reject_reason, old.decided_at))
    -- What was approved and is neither paid nor at the bank can still be reversed, by a proposal of another person.
    or (new.state <> old.state and old.state <> 'waiting'
      and not (old.state = 'approved' and new.state = 'reversed' and old.payout_reference is null and not old.at_bank
        and exists (select from staff.proposal where kind = 'reversal' and subject = 'withdrawal:' || old.id
          and proposal.state = 'confirmed' and confirmed_by = new.reversed_by)))
    or (old.state = 'reversed'
      and (new.reversed_by, new.reversed_at) is distinct from (old.reversed_by, old.reversed_at))
    -- A transaction that the chain does not have, or that pays something else, can be corrected.
    or (old.payout_reference is not null and coalesce(old.payout_chain, 'seen') = 'seen'
      and (new.payout_reference, new.payout_batch, new.payout_recorded_by, new.paid_at, new.sent_at,
          new.payout_chain, new.payout_log, new.payout_corrected_by, new.payout_accepted_by)
        is distinct from
          (old.payout_reference, old.payout_batch, old.payout_recorded_by, old.paid_at, old.sent_at,
          old.payout_chain, old.payout_log, old.payout_corrected_by, old.payout_accepted_by)
      and not withdrawals.is_mended(old, new))
    or new.paid_part <> old.paid_part and (new.paid_part < old.paid_part
      or new.paid_part <> (select coalesce(sum(amount), 0) from withdrawals.payout_transfer
        where withdrawal_id = old.id and counted))
    or new.payout_corrected_by is distinct from old.payout_corrected_by
      and new.payout_corrected_by = coalesce(old.payout_corrected_by, old.payout_recorded_by)
  then
    raise exception 'withdrawal % is decided, and what was asked for never changes', old.id
      using errcode = 'restrict_violation';
  end if;
  if not app.is_plain_reference(new.payout_reference) then
    raise exception 'the reference of a payout is printable ASCII' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger withdrawal_guarded before update on withdrawals.withdrawal
  for each row execute function withdrawals.guard_withdrawal();

select app.refuse('delete', 'withdrawals.withdrawal');

-- A payee's number is encrypted again only under a key that it was never under, as after a change of the key: whoever took
-- over the jobs, which do that, cannot put another number in its place for those who know the present key alone.
create or replace function withdrawals.guard_number() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- The number of an anonymised account is deleted.
  if new.encrypted_number = '' and (new.key_id, new.past_keys) = (old.key_id, old.past_keys) then return new; end if;
  if new.key_id = any (old.past_keys || old.key_id) then
    raise exception 'the number of pay method % never changes under a key that it was under', old.id
      using errcode = 'restrict_violation';
  end if;
  new.past_keys := old.past_keys || old.key_id;
  return new;
end
$$;

create or replace trigger number_guarded before update on withdrawals.pay_method
  for each row when ((new.encrypted_number, new.key_id, new.past_keys)
    is distinct from (old.encrypted_number, old.key_id, old.past_keys))
  execute function withdrawals.guard_number();

-- Until when a change to a player's account holds his withdrawals, as after its owner took it back; null: nothing holds them.
create or replace function withdrawals.hold_until(of_player integer) returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select sensitive_changed_at + hold from accounts.player, withdrawals.terms
  where player.id = of_player and sensitive_changed_at + hold > app.now());

-- Whether a player must set a new password, which holds his withdrawals anew: until then they have no end of a hold.
create or replace function withdrawals.needs_password(player accounts.player) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return player.password_required_at is not null and player.state <> 'closed';

-- Why nothing is approved or sent to a player now: account_frozen, withdrawal_on_hold; or null.
create or replace function withdrawals.obstacle(player accounts.player) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if player.state = 'frozen' then return 'account_frozen'; end if;
  if withdrawals.needs_password(player) or withdrawals.hold_until(player.id) is not null then
    return 'withdrawal_on_hold';
  end if;
  return null;
end
$$;

-- The same, with the player's row locked: a freeze or a hold that is under way is waited for.
create or replace function withdrawals.judge_player(of_player integer) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from accounts.player where id = of_player for share;
  return (select withdrawals.obstacle(player) from accounts.player where id = of_player);
end
$$;

-- Saves a pay method in place of the present one of its kind, and holds withdrawals from now on. The number is encrypted
-- for this id.
create or replace function withdrawals.add_pay_method(of_id integer, of_player integer, of_kind text, encrypted bytea,
  key_id text, shown text, label text, bank_name text, branch_code text, branch_name text, note text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The balance before the player, as everywhere: the new number is marked later, which locks the balance too.
  perform protection.lock_player(of_player);
  update withdrawals.pay_method set replaced_at = app.now()
  where player_id = of_player and kind = of_kind and replaced_at is null;
  insert into withdrawals.pay_method (id, player_id, kind, encrypted_number, key_id, shown_number, label, bank_name,
    branch_code, branch_name, note)
  overriding system value values (of_id, of_player, of_kind, encrypted, key_id, shown, label, bank_name,
    branch_code, branch_name, note);
  perform accounts.note_sensitive_change(of_player);
end
$$;

-- Why a player may not withdraw this amount by this method now; null if he may. The caller has locked his balance, so
-- the second of two simultaneous requests sees the first, and a request sees a freeze.
create or replace function withdrawals.judge(of_player integer, of_method integer, amount bigint, cash bigint)
returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  asker accounts.player;
begin
  select * into asker from accounts.player where player.id = of_player;
  if asker.state <> 'active' then return 'account_locked'; end if;
  if not exists (select from withdrawals.pay_method
    where pay_method.id = of_method and player_id = of_player and replaced_at is null)
  then
    return 'pay_method_missing';
  end if;
  if withdrawals.hold_until(of_player) is not null then return 'withdrawal_on_hold'; end if;
  if exists (select from withdrawals.withdrawal where player_id = of_player and state = 'waiting') then
    return 'withdrawal_pending';
  end if;
  if cash < amount then return 'insufficient_balance'; end if;
  return null;
end
$$;

-- Requests a withdrawal: the money is reserved at once. The caller has checked the security code. Returns reason
-- (null if accepted, 'replay' if the key was used before) and the request's id.
create or replace function withdrawals.request(of_player integer, of_method integer, amount bigint, on_day date,
  key text, input_hash bytea)
returns table (reason text, withdrawal_id bigint, cash_after bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  cash bigint;
begin
  if key is not null then
    insert into app.request_key (owner, key, route, input_hash, created_at)
    values ('player:' || of_player, key, 'withdrawAction', input_hash, app.now())
    on conflict do nothing;
    if not found then
      return query select 'replay'::text, null::bigint, null::bigint;
      return;
    end if;
  end if;

  select balance.cash into cash from ledger.balance where holder_id = of_player for no key update;
  reason := withdrawals.judge(of_player, of_method, amount, cash);
  if reason is null then
    withdrawal_id := nextval('withdrawals.withdrawal_id');
    select held.cash_after into cash_after from wallet.move('withdrawal', array[
      row(of_player, on_day, amount, 'withdrawal:' || withdrawal_id)::wallet.movement]) held;
    insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, requested_at)
    values (of_player, withdrawal_id, of_method, amount, on_day, cash_after, app.now());
  end if;
  if key is not null then
    update app.request_key
    set result = jsonb_strip_nulls(jsonb_build_object('reason', reason, 'withdrawal_id', withdrawal_id))
    where owner = 'player:' || of_player and request_key.key = key;
  end if;
  return next;
end
$$;

-- Locks a closed account, its balance first as always, so that it is not anonymised meanwhile. Returns null, or why
-- nothing can be requested from it: not_found, not_closed.
create or replace function withdrawals.lock_closed(of_player integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  closed accounts.player;
begin
  perform from ledger.balance where holder_id = of_player for no key update;
  select * into closed from accounts.player where player.id = of_player and accounts.is_person(player) for share;
  if closed.id is null or closed.anonymised_at is not null then return 'not_found'; end if;
  if closed.state <> 'closed' then return 'not_closed'; end if;
  return null;
end
$$;

-- Requests the rest of a closed account as a withdrawal to one of its player's pay methods, down to a hundredth of a
-- unit; another person approves it. Returns said: 'requested' with the withdrawal's id and its amount, or not_found,
-- not_closed, pay_method_missing, withdrawal_pending, insufficient_balance.
create or replace function withdrawals.request_rest(of_player integer, of_method integer, on_day date, by_session text)
returns table (answer text, withdrawal_id bigint, amount bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  owed bigint;
begin
  answer := withdrawals.lock_closed(of_player);
  select balance.cash into owed from ledger.balance where holder_id = of_player;
  -- Whole hundredths of a unit: a bank pays nothing finer.
  amount := owed - owed % 10000;
  if answer is not null then null;
  elsif not exists (select from withdrawals.pay_method method
    where method.id = of_method and method.player_id = of_player and method.replaced_at is null)
  then
    answer := 'pay_method_missing';
  elsif exists (select from withdrawals.withdrawal waiting
    where waiting.player_id = of_player and waiting.state = 'waiting')
  then
    answer := 'withdrawal_pending';
  elsif amount = 0 then answer := 'insufficient_balance';
  else
    answer := 'requested';
    withdrawal_id := nextval('withdrawals.withdrawal_id');
    insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, requested_at,
      requested_by)
    select of_player, withdrawal_id, of_method, amount, on_day, held.cash_after, app.now(), by_staff
    from wallet.move('withdrawal', array[
      row(of_player, on_day, amount, 'withdrawal:' || withdrawal_id)::wallet.movement]) held;
  end if;
  return next;
end
$$;

-- The pay methods, also replaced ones, whose shown number ends with these four characters, or is this one.
create or replace function withdrawals.methods_ending(typed text) returns integer[]
language sql stable set search_path = pg_catalog, pg_temp
return array(select id from withdrawals.pay_method
  where right(shown_number, 4) = right(typed, 4) and (length(typed) = 4 or shown_number = typed));

grant select (hold, two_persons_from) on withdrawals.terms to sum28_application;
grant select on withdrawals.pay_method, withdrawals.payout_transfer, withdrawals.terms, withdrawals.withdrawal to
  sum28_api, sum28_jobs;
grant update (note) on withdrawals.pay_method to sum28_api;
grant usage on sequence withdrawals.pay_method_id_seq to sum28_api;
grant update (encrypted_number, key_id) on withdrawals.pay_method to sum28_jobs;
grant execute on function withdrawals.hold_until to sum28_api, sum28_jobs;
grant execute on function withdrawals.add_pay_method, withdrawals.lock_closed, withdrawals.methods_ending,
  withdrawals.needs_password, withdrawals.obstacle, withdrawals.request, withdrawals.request_rest to sum28_api;
