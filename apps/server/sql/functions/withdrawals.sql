-- Withdrawals: held at the request, paid out or released.

create or replace function withdrawals.guard_withdrawal() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
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
      and (new.payout_reference, new.payout_key, new.payout_batch, new.payout_recorded_by, new.paid_at,
          new.payout_chain, new.payout_log, new.payout_corrected_by)
        is distinct from
          (old.payout_reference, old.payout_key, old.payout_batch, old.payout_recorded_by, old.paid_at,
          old.payout_chain, old.payout_log, old.payout_corrected_by))
    or new.payout_corrected_by is distinct from old.payout_corrected_by
      and new.payout_corrected_by = coalesce(old.payout_corrected_by, old.payout_recorded_by)
  then
    raise exception 'withdrawal % is decided, and what was asked for never changes', old.id
      using errcode = 'restrict_violation';
  end if;
  if new.payout_reference is distinct from old.payout_reference
    and (not app.is_plain_reference(new.payout_reference)
      or new.payout_key is distinct from app.reference_key(new.payout_reference))
  then
    raise exception 'the reference of a payout is printable ASCII, and its key follows from it'
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger withdrawal_guarded before update on withdrawals.withdrawal
  for each row execute function withdrawals.guard_withdrawal();

select app.refuse('delete', 'withdrawals.withdrawal');
select app.refuse('truncate', 'withdrawals.withdrawal');

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
  if asker.sensitive_changed_at + (select hold from withdrawals.terms) > app.now() then
    return 'withdrawal_on_hold';
  end if;
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
    insert into wallet.idempotency_key (player_id, key, route, input_hash, created_at)
    values (of_player, key, 'withdrawAction', input_hash, app.now())
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
    select held.cash_after into cash_after from wallet.reserve(array[
      row(of_player, on_day, amount, 'withdrawal:' || withdrawal_id)::wallet.movement]) held;
    insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, requested_at)
    values (of_player, withdrawal_id, of_method, amount, on_day, cash_after, app.now());
  end if;
  if key is not null then
    update wallet.idempotency_key
    set result = jsonb_strip_nulls(jsonb_build_object('reason', reason, 'withdrawal_id', withdrawal_id))
    where player_id = of_player and idempotency_key.key = key;
  end if;
  return next;
end
$$;

-- Whether two people have to approve a withdrawal. Everything approved for the player within the last 24 hours is
-- added, so that one person cannot approve a large sum in parts. For a decided one: whether two people did.
create or replace function withdrawals.takes_two(withdrawal withdrawals.withdrawal) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return case when withdrawal.state <> 'waiting' then withdrawal.first_approved_by is not null
  else withdrawal.amount + coalesce((
    select sum(approved.amount) from withdrawals.withdrawal approved
    where approved.player_id = withdrawal.player_id and approved.state = 'approved'
      and approved.decided_at > app.now() - interval '24 hours'), 0)
    >= (select two_persons_from from withdrawals.terms) end;

-- Whether a member of staff may take the next step of a withdrawal: false if it waits for another person, null if for
-- nobody, such as one that is proposed to be reversed. A payout to a wallet waits ten minutes for the chain before it waits for a person.
create or replace function withdrawals.waits_for(withdrawal withdrawals.withdrawal, member integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return case
  when withdrawal.stage not in ('waiting', 'to_pay', 'on_chain', 'payout_wrong') then null
  when withdrawal.stage = 'to_pay' and staff.is_proposed('withdrawal:' || withdrawal.id) then null
  when withdrawal.stage = 'on_chain' and withdrawal.paid_at >= app.now() - interval '10 minutes' then null
  when not exists (select from staff.member acting where acting.id = member and acting.role in ('owner', 'finance'))
  then false
  else member is distinct from case withdrawal.stage
      when 'waiting' then withdrawal.requested_by
      when 'to_pay' then withdrawal.approved_by
      else coalesce(withdrawal.payout_corrected_by, withdrawal.payout_recorded_by) end
    and (withdrawal.stage not in ('waiting', 'to_pay') or member is distinct from withdrawal.first_approved_by)
  end;

-- How many other players have one of these marks: 100 means that many or more.
create or replace function withdrawals.others_with_mark(of_player integer, of_kind text) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select count(*) from (
  select distinct other.player_id from protection.mark player_mark
  join protection.mark other on other.kind = player_mark.kind and other.hash = player_mark.hash
    and other.player_id <> player_mark.player_id
  where player_mark.player_id = of_player and player_mark.kind = of_kind limit 100) others)::integer;

-- Facts about withdrawals that staff should know before they decide, all in one statement. For a payee added within
-- seven days before the request: when, and whether it replaced another. Other players with the payee, a device, or a
-- network of the last 30 days; a payee is any card (for a withdrawal to a wallet: any wallet) that the player has or
-- had. The deposits and stakes since the previous withdrawal, or within 90 days, without refunded stakes. Earlier
-- approved withdrawals.
create or replace function withdrawals.risks(of_withdrawals bigint[])
returns table (withdrawal_id bigint, earlier integer, payee_added_at timestamptz, payee_replaced boolean,
  payee_players integer, device_players integer, network_players integer, deposited bigint, staked bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select withdrawal.id, before.approved, added.at,
    added.at is not null and exists (select from withdrawals.pay_method old
      where old.player_id = method.player_id and old.kind = method.kind and old.id < method.id),
    withdrawals.others_with_mark(withdrawal.player_id, case method.kind when 'bank' then 'card' else 'wallet' end),
    withdrawals.others_with_mark(withdrawal.player_id, 'device'),
    (select count(*) from (
      select distinct other.player_id from accounts.known_network player_network
      join accounts.known_network other on other.network_hash = player_network.network_hash
        and other.player_id <> player_network.player_id
      where player_network.player_id = withdrawal.player_id
        and least(player_network.last_at, other.last_at) > app.now() - interval '30 days'
      limit 100) others)::integer,
    moved.deposited, moved.staked
  from withdrawals.withdrawal withdrawal
  join withdrawals.pay_method method on method.id = withdrawal.pay_method_id
  cross join lateral (select case when method.created_at > withdrawal.requested_at - interval '7 days'
    then method.created_at end as at) added
  cross join lateral (select count(*)::integer as approved, max(earlier.requested_at) as last_at
    from withdrawals.withdrawal earlier
    where earlier.player_id = withdrawal.player_id and earlier.state = 'approved' and earlier.id < withdrawal.id) before
  cross join lateral (select
      coalesce(sum(amount) filter (where posting.kind in ('deposit', 'deposit_released')), 0)::bigint as deposited,
      -- A refund may be of a stake that was placed before the time that is looked at.
      greatest(0, coalesce(sum(case posting.kind when 'stake' then amount else -amount end)
        filter (where posting.kind in ('stake', 'refund')), 0))::bigint as staked
    from ledger.posting where posting.holder_id = withdrawal.player_id and posting.posted_at < withdrawal.requested_at
      and posting.posted_at > greatest(before.last_at, withdrawal.requested_at - interval '90 days')
      -- Of the tables of months only those in which that can be: a posting counts for a day near its time.
      and posting.booked_on between (withdrawal.requested_at - interval '121 days')::date
        and (withdrawal.requested_at + interval '31 days')::date) moved
  where withdrawal.id = any (of_withdrawals);
end;

-- The other players with a mark that a withdrawal's player has, for each of risks' hints: at most ten, the latest first.
create or replace function withdrawals.shared_with(of_withdrawal bigint)
returns table (hint text, player_id integer, username text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select shared.hint, player.id, player.username
  from withdrawals.withdrawal
  join withdrawals.pay_method method on method.id = withdrawal.pay_method_id
  cross join lateral (values
    ('payee_shared', case method.kind when 'bank' then 'card' else 'wallet' end), ('device_shared', 'device'),
    ('network_shared', null)) shared (hint, mark)
  cross join lateral (
    select distinct found.other_id from (
      select other.player_id as other_id from protection.mark own
      join protection.mark other on other.kind = own.kind and other.hash = own.hash
      where own.player_id = withdrawal.player_id and own.kind = shared.mark
      union all
      select other.player_id from accounts.known_network own
      join accounts.known_network other on other.network_hash = own.network_hash
      where own.player_id = withdrawal.player_id and shared.mark is null
        and least(own.last_at, other.last_at) > app.now() - interval '30 days') found
    where found.other_id <> withdrawal.player_id
    order by found.other_id desc limit 10) others
  join accounts.player on player.id = others.other_id
  where withdrawal.id = of_withdrawal;
end;

-- The withdrawals that wait and have a hint, or none if it is 'none': of the 200 that wait longest, since each is
-- computed.
create or replace function withdrawals.waiting_with(hint text) returns bigint[]
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select array(select risk.withdrawal_id
    from withdrawals.risks(array(
      select id from withdrawals.withdrawal where stage = 'waiting' order by place limit 200)) risk
    where case hint
      when 'first' then risk.earlier = 0
      when 'payee_new' then risk.payee_added_at is not null and not risk.payee_replaced
      when 'payee_changed' then risk.payee_added_at is not null and risk.payee_replaced
      when 'payee_shared' then risk.payee_players > 0
      when 'device_shared' then risk.device_players > 0
      when 'network_shared' then risk.network_players > 0
      when 'little_play' then risk.staked < risk.deposited
      when 'none' then risk.earlier > 0 and risk.payee_added_at is null and risk.staked >= risk.deposited
        and risk.payee_players + risk.device_players + risk.network_players = 0 end);
end;

-- Approves a withdrawal; from the threshold on, two different people must approve it. Returns 'approved', 'first' if a
-- second person must still approve it, or not_found, decided, account_frozen, identity_missing, same_person.
create or replace function withdrawals.approve(of_withdrawal bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  locked_withdrawal withdrawals.withdrawal;
begin
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  if locked_withdrawal.id is null then return 'not_found'; end if;
  if locked_withdrawal.state <> 'waiting' then return 'decided'; end if;
  -- The person who asked for the rest of a closed account may not approve it.
  if locked_withdrawal.requested_by = by_staff then return 'same_person'; end if;
  -- A freeze under way holds this lock, and so does another approval for this player. Once it is held here, his state
  -- and the sum of his approvals are up to date.
  perform from ledger.balance where holder_id = locked_withdrawal.player_id for no key update;
  if (select state from accounts.player where id = locked_withdrawal.player_id) = 'frozen' then
    return 'account_frozen';
  end if;
  if locked_withdrawal.first_approved_by = by_staff then return 'same_person'; end if;
  if withdrawals.waits_for_identity(locked_withdrawal) then return 'identity_missing'; end if;
  if withdrawals.takes_two(locked_withdrawal) and locked_withdrawal.first_approved_by is null then
    update withdrawals.withdrawal set first_approved_by = by_staff where id = of_withdrawal;
    return 'first';
  end if;
  update withdrawals.withdrawal set state = 'approved', approved_by = by_staff, decided_at = app.now()
  where id = of_withdrawal;
  perform wallet.pay_out_held(array[row(
    locked_withdrawal.player_id, locked_withdrawal.booked_on, locked_withdrawal.amount,
    'withdrawal:' || locked_withdrawal.id)::wallet.movement]);
  return 'approved';
end
$$;

-- Rejects and returns the money. Answers 'rejected', not_found or decided.
create or replace function withdrawals.reject(of_withdrawal bigint, by_session text, why text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  locked_withdrawal withdrawals.withdrawal;
begin
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  if locked_withdrawal.id is null then return 'not_found'; end if;
  if locked_withdrawal.state <> 'waiting' then return 'decided'; end if;
  update withdrawals.withdrawal
  set state = 'rejected', rejected_by = by_staff, reject_reason = why, decided_at = app.now()
  where id = of_withdrawal;
  perform wallet.release_held(array[row(
    locked_withdrawal.player_id, locked_withdrawal.booked_on, locked_withdrawal.amount,
    'withdrawal:' || locked_withdrawal.id)::wallet.movement]);
  return 'rejected';
end
$$;

-- Whether a text is the id of a transaction on the chain.
create or replace function withdrawals.is_transaction(reference text) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp
return reference ~ '^[0-9a-f]{64}$';

-- Records that an approved withdrawal was paid, and how. Answers 'paid', not_found, decided (it was reversed),
-- not_approved, paid_already, reversal_proposed, same_person (a person who approved it), not_a_transaction (a payout to
-- a wallet names its transaction, which is then read on the chain), or reference_used. Payments of one batch may have
-- one reference: a bank pays a batch at once.
create or replace function withdrawals.pay_out(of_withdrawal bigint, payer integer, reference text,
  reference_key text, of_batch integer) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  locked_withdrawal withdrawals.withdrawal;
  to_wallet boolean;
begin
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  if locked_withdrawal.id is null then return 'not_found'; end if;
  if locked_withdrawal.state = 'reversed' then return 'decided'; end if;
  if locked_withdrawal.state <> 'approved' then return 'not_approved'; end if;
  if locked_withdrawal.payout_reference is not null then return 'paid_already'; end if;
  if staff.is_proposed('withdrawal:' || of_withdrawal) then return 'reversal_proposed'; end if;
  if payer in (locked_withdrawal.approved_by, locked_withdrawal.first_approved_by) then return 'same_person'; end if;
  to_wallet := (select kind = 'wallet' from withdrawals.pay_method where id = locked_withdrawal.pay_method_id);
  if to_wallet and not withdrawals.is_transaction(reference) then return 'not_a_transaction'; end if;
  -- A payment of a held deposit that is recorded meanwhile waits, or was before.
  perform pg_advisory_xact_lock(hashtext('payment ' || reference_key));
  if exists (select from protection.held_deposit where refund_key = reference_key)
    or exists (select from withdrawals.withdrawal
      where payout_key = reference_key and (of_batch is null or payout_batch is distinct from of_batch))
  then
    return 'reference_used';
  end if;
  update withdrawals.withdrawal
  set payout_reference = reference, payout_key = reference_key, payout_batch = of_batch, payout_recorded_by = payer,
    paid_at = app.now(), at_bank = false, payout_chain = case when to_wallet then 'awaited' end
  where id = of_withdrawal;
  return 'paid';
end
$$;

-- Records a payout that was made by hand. Answers as withdrawals.pay_out, or at_bank: it is in a batch that the
-- bank may still pay.
create or replace function withdrawals.record_payout(of_withdrawal bigint, by_session text, reference text,
  reference_key text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  awaited boolean;
begin
  select at_bank into awaited from withdrawals.withdrawal where id = of_withdrawal for update;
  if awaited then return 'at_bank'; end if;
  return withdrawals.pay_out(of_withdrawal, by_staff, reference, reference_key, null);
end
$$;

-- Records what the chain has of a payout's transaction: the logs that pay this payee this amount, of which each pays one
-- withdrawal; or, if there are none, why not. Answers 'seen', 'wrong' or 'stale' (another transaction is recorded now).
create or replace function withdrawals.take_chain_answer(of_withdrawal bigint, of_key text, logs integer[], fault text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  locked_withdrawal withdrawals.withdrawal;
  free integer;
begin
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  if locked_withdrawal.payout_chain is distinct from 'awaited' or locked_withdrawal.payout_key <> of_key then
    return 'stale';
  end if;
  -- Of two withdrawals that one transaction pays, the second waits.
  perform pg_advisory_xact_lock(hashtext('payment ' || of_key));
  free := (select min(log) from unnest(logs) log where not exists (
    select from withdrawals.withdrawal other where other.payout_key = of_key and other.payout_log = log));
  update withdrawals.withdrawal
  set payout_chain = case when free is null then 'wrong' else 'seen' end, payout_log = free,
    payout_fault = case when free is null then coalesce(fault, 'used') end
  where id = of_withdrawal;
  return case when free is null then 'wrong' else 'seen' end;
end
$$;

-- Why an approved withdrawal that cannot be paid may not be reversed now, or proposed to be: not_found, not_approved,
-- decided, paid_already, at_bank (the bank may still pay it); or null. The content is {player_id, amount}. Locks the
-- withdrawal; from the proposal on it is not paid.
create or replace function withdrawals.judge_reversal(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  subject withdrawals.withdrawal;
begin
  select * into subject from withdrawals.withdrawal
  where id = app.number_in(substr(proposed.subject, 12)) and 'withdrawal:' || id = proposed.subject for update;
  if (subject.player_id, subject.amount)
    is distinct from (proposed.player_id, (proposed.content ->> 'amount')::bigint) and subject.id is not null
  then
    raise exception 'a reversal has the player and the amount of its withdrawal' using errcode = 'check_violation';
  end if;
  return case
    when subject.id is null then 'not_found'
    when subject.state = 'waiting' then 'not_approved'
    when subject.state <> 'approved' then 'decided'
    when subject.payout_reference is not null then 'paid_already'
    when subject.at_bank then 'at_bank' end;
end
$$;

-- Reverses an approved withdrawal: the money comes back to the player's free balance.
create or replace function withdrawals.reverse(confirmed staff.proposal) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reversed withdrawals.withdrawal;
begin
  update withdrawals.withdrawal
  set state = 'reversed', reversed_by = confirmed.confirmed_by, reversed_at = app.now()
  where id = app.number_in(substr(confirmed.subject, 12)) returning * into strict reversed;
  perform wallet.reverse_withdrawals(array[row(
    reversed.player_id, reversed.booked_on, reversed.amount, confirmed.subject)::wallet.movement]);
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
    from wallet.reserve(array[
      row(of_player, on_day, amount, 'withdrawal:' || withdrawal_id)::wallet.movement]) held;
  end if;
  return next;
end
$$;

-- The pay methods, also replaced ones, whose shown number ends with these four characters, or is this one.
create or replace function withdrawals.methods_ending(typed text) returns integer[]
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select array(select id from withdrawals.pay_method
    where right(shown_number, 4) = right(typed, 4) and (length(typed) = 4 or shown_number = typed));
end;

-- What each part of the product may do.
grant usage on schema withdrawals to sum28_application;
grant select on withdrawals.terms to sum28_application;
grant select on withdrawals.pay_method, withdrawals.withdrawal to sum28_api, sum28_jobs;
grant insert, update (note, replaced_at) on withdrawals.pay_method to sum28_api;
grant usage on sequence withdrawals.pay_method_id_seq to sum28_api;
grant execute on function withdrawals.approve, withdrawals.lock_closed, withdrawals.methods_ending,
  withdrawals.record_payout, withdrawals.reject, withdrawals.request, withdrawals.request_rest, withdrawals.risks,
  withdrawals.shared_with, withdrawals.waiting_with to sum28_api;
grant execute on function withdrawals.takes_two, withdrawals.waits_for to sum28_api, sum28_jobs;
grant execute on function withdrawals.take_chain_answer to sum28_jobs;
grant update (encrypted_number, key_id) on withdrawals.pay_method to sum28_jobs;
