-- A player's requests about his own account: a file with his data, and closing the account.

-- The open positions of a player's account, in micro-units: they must be resolved before the account can be closed. A
-- payout and a refund are open until the chain has shown them.
create or replace function own_account.open_matters(of_player integer)
returns table (running bigint, withdrawing bigint, held bigint, balance bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select bets.unsettled_stakes(of_player),
    (select coalesce(sum(withdrawals.still_owed(withdrawal)), 0)::bigint from withdrawals.withdrawal
      where player_id = of_player
        and (state = 'waiting' or stage in ('to_pay', 'at_bank', 'on_chain', 'payout_wrong'))),
    (select coalesce(sum(amount), 0)::bigint from protection.held_deposit deposit
      where player_id = of_player and protection.is_unresolved(deposit)),
    cash
  from ledger.balance where holder_id = of_player;
end;

-- Deletes what no law asks for, and nothing reads any more, of an account that is being closed. Remembered devices stay,
-- to be compared with those of other accounts, and passkeys, to tell whoever has one that the account is closed.
create or replace function own_account.forget_at_closing(of_player integer) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  update accounts.player set avatar = 'preset:1' where player.id = of_player;
  delete from accounts.recovery_code where player_id = of_player;
  delete from accounts.second_factor where player_id = of_player;
  delete from accounts.security_code where player_id = of_player;
  delete from accounts.uploaded_picture where player_id = of_player;
  delete from inbox.push_subscription where player_id = of_player;
  delete from inbox.push_choice where player_id = of_player;
  delete from own_account.data_file where player_id = of_player;
end;

-- Closes an account without open positions, at once and on every device. A balance below the smallest withdrawal
-- is requested for withdrawal by one of the player's pay methods, down to a hundredth of a unit; without a method
-- (null) it stays booked. The request is judged as any other. Later deposits are held, as are those that already were
-- and together with the balance are less than can be withdrawn: staff return them.
-- Answers 'closed', something_open, account_locked, or why the rest cannot be withdrawn.
create or replace function own_account.close_account(of_player integer, rest_to integer, on_day date) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  was text;
  moment timestamptz;
  open record;
  payable bigint;
  refused text;
begin
  -- The locks that bets, withdrawals and a freeze take, in the same order.
  perform protection.lock_player(of_player);
  perform protection.lock_players(protection.same_person_as(of_player));
  select state into was from accounts.player
  where player.id = of_player and accounts.is_person(player) for no key update;
  if was is distinct from 'active' then return 'account_locked'; end if;
  select * into open from own_account.open_matters(of_player);
  if open.running > 0 or open.withdrawing > 0 or (open.held + open.balance < withdrawals.smallest()) is not true then
    return 'something_open';
  end if;
  -- Whole hundredths of a unit: a bank pays nothing finer, and what is less stays booked.
  payable := open.balance - open.balance % 10000;
  if rest_to is not null and payable > 0 then
    select reason into refused from withdrawals.request(of_player, rest_to, payable, on_day, null, null);
    if refused is not null then return refused; end if;
  end if;
  moment := app.now();
  update accounts.player set state = 'closed', closed_at = moment where player.id = of_player;
  perform accounts.sign_out(of_player, 'closed'), own_account.forget_at_closing(of_player);
  update protection.player set excluded_until = 'infinity' where player_id = of_player;
  perform protection.log_change(of_player, moment, 'account_closed', '{}');
  -- An adult's identity that was accepted since in another account of his ends what he said in this one.
  perform protection.settle_reviews(of_player || protection.same_person_as(of_player), moment);
  return 'closed';
end
$$;

-- The time before which a visitor was here last who is idle: thirty days ago, and thirty days on which rounds ended, for
-- nobody can come while the house is off. Null while there were not so many, or they began earlier than networks are kept.
create or replace function own_account.idle_before() returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
return (select least(app.now() - interval '30 days', min(game_day)::timestamptz)
  from (select distinct game_day from rounds.day order by game_day desc limit 30) held
  having count(*) = 30 and min(game_day) > app.now() - interval '90 days');

-- Whether an account is an active visitor's who has had no session since a moment. One from before the days on which the
-- house was off may be deleted: the network of its beginning is kept longer.
create or replace function own_account.is_idle_visitor(player accounts.player, before timestamptz) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return player.group_id = 2 and player.state = 'active' and accounts.is_person(player)
  and player.created_at < before
  and not exists (select from accounts.session where player_id = player.id and seen_at >= before)
  and not exists (select from accounts.known_network where player_id = player.id and last_at >= before);

-- Closes the account of an idle visitor: he may have come back just now. Answers as own_account.close_account does.
create or replace function own_account.close_idle_visitor(of_player integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Who begins a session waits for the player's lock.
  perform protection.lock_player(of_player);
  perform from accounts.player where player.id = of_player for no key update;
  if (select own_account.is_idle_visitor(player, own_account.idle_before())
    from accounts.player where player.id = of_player) is not true then
    return 'account_locked';
  end if;
  return own_account.close_account(of_player, null, null);
end
$$;

-- Deletes what the product has stored of a player besides the ledger, his bets and the decisions of staff.
create or replace function own_account.forget_player(of_player integer) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select own_account.forget_at_closing(of_player);
  delete from accounts.email_code
  where email_key = (select player.email_key from accounts.player where player.id = of_player);
  delete from accounts.session where player_id = of_player;
  delete from accounts.remembered_device where player_id = of_player;
  delete from accounts.known_network where player_id = of_player;
  delete from accounts.known_device where player_id = of_player;
  delete from accounts.security_link where player_id = of_player;
  delete from accounts.document where player_id = of_player;
  delete from withdrawals.identity where player_id = of_player;
  delete from withdrawals.identity_picture where player_id = of_player;
  delete from accounts.passkey where player_id = of_player;
  delete from protection.mark where player_id = of_player;
  -- A passkey's name, a masked address, a year of birth.
  update protection.change set details = details - '{name,born}'::text[]
  where player_id = of_player and details ?| '{name,born}';
  delete from inbox.message where player_id = of_player;
  delete from app.request_key where owner = 'player:' || of_player;
  delete from content.announcement_reader where player_id = of_player;
  -- Withdrawals name the method that they were paid to: what kind it was is left of it.
  update withdrawals.pay_method set encrypted_number = '', shown_number = '', label = '', bank_name = '',
    branch_code = '', branch_name = '', note = '', replaced_at = coalesce(replaced_at, app.now())
  where player_id = of_player;
end;

-- Whether money of a closed account is being paid out or back (on the chain, until it shows that). Or, in the last 30
-- days, whether a bank paid some, which it may send back, some has come back, which staff may request again, or 1 u or
-- more have arrived: anybody can send dust. Until then the payee has to be known.
create or replace function own_account.payment_goes_on(of_player integer, moment timestamptz) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from withdrawals.withdrawal
    where player_id = of_player and (stage in ('waiting', 'to_pay', 'at_bank', 'on_chain', 'payout_wrong')
      or (state in ('rejected', 'reversed') and coalesce(reversed_at, decided_at) > moment - interval '30 days')
      or (payout_chain is null and paid_at > moment - interval '30 days')))
  or exists (select from protection.held_deposit deposit
    where player_id = of_player and case
      when state = 'held' then staff.is_proposed('held_deposit:' || id)
        or (amount >= 1000000 and held_at > moment - interval '30 days')
      when protection.is_unresolved(deposit) then true
      else state = 'refunded' and refund_chain is null and decided_at > moment - interval '30 days' end);

-- Deletes all personal data of accounts that were closed long enough ago. An account waits for the end of its
-- own break, until which its identifying data has to be kept, and for an open payment. The ledger does not change.
-- Returns how many accounts.
create or replace function own_account.anonymise(rows_max integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment constant timestamptz := app.now();
  oldest constant timestamptz := moment - (select closed_kept from own_account.terms);
  of_player integer;
  done integer := 0;
begin
  for of_player in
    select player.id from accounts.player
    where state = 'closed' and anonymised_at is null and closed_at <= oldest
      and not exists (select from protection.exclusion
        where player_id = player.id and kind <> 'likeness' and ends_at > moment)
      and not own_account.payment_goes_on(player.id, moment)
    order by closed_at limit rows_max for no key update skip locked
  loop
    -- Requested between the look above and the lock.
    continue when own_account.payment_goes_on(of_player, moment);
    perform own_account.forget_player(of_player);
    update accounts.player set anonymised_at = moment, email = null, email_key = null, asked_email = null,
      password_hash = null, username = 'gone_' || player.id || '_' || left(gen_random_uuid()::text, 8),
      lang = 'en'
    where player.id = of_player;
    done := done + 1;
  end loop;
  return done;
end
$$;

grant select on own_account.terms to sum28_application;
grant select on own_account.data_file, own_account.data_part to sum28_api, sum28_jobs;
grant delete, insert on own_account.data_file to sum28_api;
grant delete, update on own_account.data_file to sum28_jobs;
grant delete, insert, update (encrypted_content, key_id) on own_account.data_part to sum28_jobs;
grant execute on function own_account.close_account, own_account.open_matters to sum28_api;
grant execute on function own_account.anonymise, own_account.close_idle_visitor, own_account.idle_before,
  own_account.is_idle_visitor to sum28_jobs;
