-- What staff see of a withdrawal before they decide, and their decision.

-- Whether two people have to approve a withdrawal. Everything approved for the player within the last 24 hours is
-- added, so that one person cannot approve a large sum in parts. For a decided one: whether two people did.
create or replace function withdrawals.takes_two(withdrawal withdrawals.withdrawal) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return case when withdrawal.state <> 'waiting' then withdrawal.first_approved_by is not null
  else withdrawal.amount + coalesce((
    select sum(withdrawals.approved_amount(approved)) from withdrawals.withdrawal approved
    where approved.player_id = withdrawal.player_id and approved.state in ('approved', 'reversed')
      and approved.decided_at > app.now() - interval '24 hours'), 0)
    >= (select two_persons_from from withdrawals.terms) end;

-- Whether a member of staff may take the next step of a withdrawal: false if it waits for another person, such as the one
-- who has taken its payment; null if for nobody: one that is proposed to be reversed, one that waits for documents of its
-- player, one on hold, of a frozen player, or of one who must set a new password, unless somebody may have sent it before.
-- A payment whose taker may pay no more is given back by anybody, and one that was said to be unpaid is released by each
-- one who did not say so. A payout to a wallet waits ten minutes for the chain before it waits for a person.
create or replace function withdrawals.waits_for(withdrawal withdrawals.withdrawal, member integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return case
  when withdrawal.stage not in ('waiting', 'to_pay', 'on_chain', 'payout_wrong') then null
  when staff.is_proposed('withdrawal:' || withdrawal.id) then null
  when withdrawal.stage = 'to_pay' and staff.payer_of('withdrawal:' || withdrawal.id) is not null
  then member is not distinct from staff.payer_of('withdrawal:' || withdrawal.id)
  when (withdrawal.stage = 'waiting'
      or withdrawal.stage = 'to_pay' and staff.taker_of('withdrawal:' || withdrawal.id) is null)
    and (select withdrawals.obstacle(player) from accounts.player where id = withdrawal.player_id) is not null
  then null
  when withdrawal.stage = 'waiting' and withdrawals.waits_for_identity(withdrawal)
    and not exists (select from withdrawals.identity sent
      where sent.player_id = withdrawal.player_id and sent.state = 'waiting')
  then null
  when withdrawal.stage = 'on_chain' and withdrawal.paid_at >= app.now() - interval '10 minutes' then null
  when not exists (select from staff.member acting where acting.id = member and acting.role in ('owner', 'finance'))
  then false
  when withdrawal.stage = 'to_pay' and staff.taker_of('withdrawal:' || withdrawal.id) is not null then true
  when withdrawal.stage = 'to_pay' and staff.is_denied('withdrawal:' || withdrawal.id)
  then not staff.has_denied('withdrawal:' || withdrawal.id, member)
  when withdrawal.stage in ('on_chain', 'payout_wrong')
  then not withdrawals.is_own_payout(withdrawal, member) and member is distinct from withdrawal.payout_accepted_by
  else member is distinct from case withdrawal.stage
      when 'waiting' then withdrawal.requested_by
      else withdrawal.approved_by end
    and member is distinct from withdrawal.first_approved_by
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
-- seven days before the request, or by staff since the account was closed: when, and whether it replaced another. When
-- another replaced it before the withdrawal was paid, unless nothing is paid of it. Other players with the payee, a
-- device, or a network of the last 30 days; a payee is any card (for a withdrawal to a wallet: any wallet) that the
-- player has or had. The deposits and stakes within 90 days, without refunded stakes: an earlier withdrawal took none
-- of what is unplayed away. Earlier approved withdrawals. Of a crowded network no more are read than are counted.
create or replace function withdrawals.risks(of_withdrawals bigint[])
returns table (withdrawal_id bigint, earlier integer, payee_added_at timestamptz, payee_changed boolean,
  payee_replaced_at timestamptz, payee_players integer, device_players integer, network_players integer,
  deposited bigint, staked bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select withdrawal.id, before.approved, added.at,
    added.at is not null and exists (select from withdrawals.pay_method old
      where old.player_id = method.player_id and old.kind = method.kind and old.id < method.id),
    case when withdrawal.state in ('waiting', 'approved')
      and method.replaced_at < coalesce(withdrawal.paid_at, 'infinity') then method.replaced_at end,
    withdrawals.others_with_mark(withdrawal.player_id, case method.kind when 'bank' then 'card' else 'wallet' end),
    withdrawals.others_with_mark(withdrawal.player_id, 'device'),
    (select count(*) from (
      select distinct other.player_id from accounts.known_network player_network
      cross join lateral (select known.player_id from accounts.known_network known
        where known.network_hash = player_network.network_hash and known.player_id <> player_network.player_id
          and known.last_at > (select app.now() - interval '30 days') limit 100) other
      where player_network.player_id = withdrawal.player_id
        and player_network.last_at > (select app.now() - interval '30 days')
      limit 100) others)::integer,
    moved.deposited, moved.staked
  from withdrawals.withdrawal withdrawal
  join withdrawals.pay_method method on method.id = withdrawal.pay_method_id
  join accounts.player on player.id = withdrawal.player_id
  cross join lateral (select case
    when method.created_at > least(withdrawal.requested_at - interval '7 days', player.closed_at)
    then method.created_at end as at) added
  cross join lateral (select count(*)::integer as approved
    from withdrawals.withdrawal earlier
    where earlier.player_id = withdrawal.player_id and earlier.state = 'approved' and earlier.id < withdrawal.id) before
  cross join lateral (select
      -- What was taken back, or refunded, may have been deposited, or staked, before the time that is looked at.
      greatest(0, coalesce(sum(case posting.kind when 'deposit_taken_back' then -amount else amount end)
        filter (where posting.kind in ('deposit', 'deposit_released', 'deposit_taken_back')), 0))::bigint as deposited,
      greatest(0, coalesce(sum(case posting.kind when 'stake' then amount else -amount end)
        filter (where posting.kind in ('stake', 'refund')), 0))::bigint as staked
    from ledger.posting where posting.holder_id = withdrawal.player_id and posting.posted_at < withdrawal.requested_at
      and posting.posted_at > withdrawal.requested_at - interval '90 days'
      -- Of the tables of months only those in which that can be: a posting counts for a day near its time.
      and posting.booked_on between (withdrawal.requested_at - interval '121 days')::date
        and (withdrawal.requested_at + interval '31 days')::date) moved
  where withdrawal.id = any (of_withdrawals);
end;

-- Approves a withdrawal; from the threshold on, two different people must approve it. Returns 'approved', 'first' if a
-- second person must still approve it, or not_found, decided, account_frozen, identity_missing, same_person, or
-- withdrawal_on_hold, as a request would be: the account's owner may have taken it back from a thief.
create or replace function withdrawals.approve(of_withdrawal bigint, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance');
  locked_withdrawal withdrawals.withdrawal;
  obstacle text;
begin
  select * into locked_withdrawal from withdrawals.withdrawal where id = of_withdrawal for update;
  if locked_withdrawal.id is null then return 'not_found'; end if;
  if locked_withdrawal.state <> 'waiting' then return 'decided'; end if;
  -- The person who asked for the rest of a closed account may not approve it.
  if locked_withdrawal.requested_by = by_staff then return 'same_person'; end if;
  -- Another approval for this player holds this lock. Once it is held here, the sum of his approvals is up to date.
  perform from ledger.balance where holder_id = locked_withdrawal.player_id for no key update;
  obstacle := withdrawals.judge_player(locked_withdrawal.player_id);
  if obstacle is not null then return obstacle; end if;
  if locked_withdrawal.first_approved_by = by_staff then return 'same_person'; end if;
  if withdrawals.waits_for_identity(locked_withdrawal) then return 'identity_missing'; end if;
  if withdrawals.takes_two(locked_withdrawal) and locked_withdrawal.first_approved_by is null then
    update withdrawals.withdrawal set first_approved_by = by_staff where id = of_withdrawal;
    return 'first';
  end if;
  update withdrawals.withdrawal set state = 'approved', approved_by = by_staff, decided_at = app.now()
  where id = of_withdrawal;
  perform wallet.move('withdrawal_paid', array[row(
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
  perform wallet.move('withdrawal_released', array[row(
    locked_withdrawal.player_id, locked_withdrawal.booked_on, locked_withdrawal.amount,
    'withdrawal:' || locked_withdrawal.id)::wallet.movement]);
  return 'rejected';
end
$$;

grant execute on function withdrawals.approve, withdrawals.reject, withdrawals.risks to sum28_api;
grant execute on function withdrawals.takes_two, withdrawals.waits_for to sum28_api, sum28_jobs;
