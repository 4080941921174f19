-- The console's area players: search, one player's page, and actions of staff on him.

select app.refuse('update or delete', 'console_players.note', 'console_players.contact');

-- Writes a note about a person. Answers 'set' or not_found.
create or replace function console_players.add_note(of_player integer, note text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
begin
  if not exists (select from accounts.player where id = of_player and accounts.is_person(player)) then return 'not_found'; end if;
  insert into console_players.note (player_id, text, written_by, written_at)
  values (of_player, note, by_staff, app.now());
  return 'set';
end
$$;

-- Makes a template of messages, or changes one, with its texts: each language once, English always, none empty; at most
-- 100 templates. Answers 'saved', not_found, content_changed or too_many.
create or replace function console_players.set_template(of_id integer, of_version integer, of_name text, langs text[],
  texts text[], by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'support');
  present integer;
  mine integer := of_id;
begin
  perform pg_advisory_xact_lock(hashtext('console_players.template'));
  if ('en' = any (langs)) is not true then
    raise exception 'a template has no English text' using errcode = 'check_violation';
  end if;
  if of_id is null then
    if (select count(*) from console_players.template) >= 100 then return 'too_many'; end if;
    insert into console_players.template (name, changed_by, changed_at) values (of_name, by_staff, app.now())
    returning id into mine;
  else
    select version into present from console_players.template where id = of_id;
    if present is null then return 'not_found'; end if;
    if present is distinct from of_version then return 'content_changed'; end if;
    update console_players.template set name = of_name, version = version + 1, changed_by = by_staff, changed_at = app.now()
    where id = of_id;
    delete from console_players.template_text where template_id = of_id;
  end if;
  insert into console_players.template_text (template_id, lang, text)
  select mine, given.lang, given.text from unnest(langs, texts) as given (lang, text);
  return 'saved';
end
$$;

-- Removes a template. Answers 'saved', not_found or content_changed.
create or replace function console_players.remove_template(of_id integer, of_version integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  present integer;
begin
  perform staff.acting(by_session, 'owner', 'support');
  perform pg_advisory_xact_lock(hashtext('console_players.template'));
  select version into present from console_players.template where id = of_id;
  if present is null then return 'not_found'; end if;
  if present is distinct from of_version then return 'content_changed'; end if;
  delete from console_players.template where id = of_id;
  return 'saved';
end
$$;

-- Ends all sessions and remembered devices of a person. Answers 'closed' or not_found.
create or replace function console_players.end_sessions(of_player integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support');
  -- A sign-in that is under way waits, or was before.
  perform from accounts.player where id = of_player and accounts.is_person(player) for no key update;
  if not found then return 'not_found'; end if;
  perform accounts.sign_out(of_player, 'staff'), protection.log_sign_in_change(of_player, 'signed_out', null);
  return 'closed';
end
$$;

-- Signs a person out everywhere, and lets him sign in only after he has set a new password by mail. Answers
-- 'required', not_found, account_closed, or email_missing if he has no address.
create or replace function console_players.require_password(of_player integer, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  locked_player accounts.player;
begin
  perform staff.acting(by_session, 'owner', 'finance', 'support');
  -- A sign-in that is under way waits, or was before.
  select * into locked_player from accounts.player
  where id = of_player and accounts.is_person(player) for no key update;
  if locked_player.id is null then return 'not_found'; end if;
  if locked_player.state = 'closed' then return 'account_closed'; end if;
  if locked_player.email is null then return 'email_missing'; end if;
  update accounts.player set password_required_at = coalesce(password_required_at, app.now()) where id = of_player;
  perform accounts.sign_out(of_player, 'staff'), protection.log_sign_in_change(of_player, 'password_required', null);
  return 'required';
end
$$;

-- Whether a person has used his security code since a moment: to change it, or to withdraw.
create or replace function console_players.knows_code(of_player integer, since timestamptz) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from accounts.security_code where player_id = of_player and changed_at > since)
  or exists (select from withdrawals.withdrawal where player_id = of_player and requested_at > since);

-- Locks the balance and the player of a proposal to delete what he says that he has lost. Answers null, not_found, or
-- account_closed.
create or replace function console_players.lock_loser(of_player integer) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  state_now text;
begin
  -- A request to withdraw that is under way waits for the balance, and then finds the hold.
  perform from ledger.balance where holder_id = of_player for no key update;
  select state into state_now from accounts.player
  where id = of_player and accounts.is_person(player) for no key update;
  return case when state_now is null then 'not_found' when state_now = 'closed' then 'account_closed' end;
end
$$;

-- Of a proposal to delete a security code: answers null, a word of lock_loser, code_not_set, or code_known if the code
-- was used since the proposal.
create or replace function console_players.judge_code_reset(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  why_not constant text := console_players.lock_loser(proposed.player_id);
begin
  if why_not is not null then return why_not; end if;
  if not exists (select from accounts.security_code where player_id = proposed.player_id) then
    return 'code_not_set';
  end if;
  if console_players.knows_code(proposed.player_id, proposed.proposed_at) then return 'code_known'; end if;
  return null;
end
$$;

-- Deletes the security code, signs the person out everywhere, and begins the hold of withdrawals.
create or replace function console_players.reset_code(confirmed staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  delete from accounts.security_code where player_id = (confirmed).player_id;
  select protection.log_sign_in_change((confirmed).player_id, 'code_reset', null);
  select accounts.note_sensitive_change((confirmed).player_id);
  select accounts.sign_out((confirmed).player_id, 'staff');
end;

-- Of a proposal to switch a second factor off: answers null, a word of lock_loser, factor_off, or factor_known if it, or a
-- passkey, was used since the proposal.
create or replace function console_players.judge_factor_reset(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  why_not constant text := console_players.lock_loser(proposed.player_id);
  factor accounts.second_factor;
begin
  if why_not is not null then return why_not; end if;
  select * into factor from accounts.second_factor where player_id = proposed.player_id for update;
  if factor.player_id is null then return 'factor_off'; end if;
  if greatest(factor.used_at, factor.on_since) > proposed.proposed_at or exists (
    select from accounts.passkey where player_id = proposed.player_id and used_at > proposed.proposed_at)
  then
    return 'factor_known';
  end if;
  return null;
end
$$;

-- Switches the second factor off, also of passkeys, which whoever took the account over may have added; signs the person
-- out everywhere, and begins the hold of withdrawals.
create or replace function console_players.reset_factor(confirmed staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select protection.log_sign_in_change(player_id, 'passkey_removed', name)
  from accounts.passkey where player_id = (confirmed).player_id order by id;
  select protection.log_sign_in_change((confirmed).player_id, 'factor_off', null);
  delete from accounts.second_factor where player_id = (confirmed).player_id;
  delete from accounts.recovery_code where player_id = (confirmed).player_id;
  delete from accounts.passkey where player_id = (confirmed).player_id;
  select accounts.note_sensitive_change((confirmed).player_id);
  select accounts.sign_out((confirmed).player_id, 'staff');
end;

-- Keeps the address that is proposed for a person who has lost his mailbox. Answers 'set' or email_taken.
create or replace function console_players.ask_address(of_player integer, address text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from accounts.player where email_key = address) or accounts.is_way_back(address, of_player) then
    return 'email_taken';
  end if;
  update accounts.player set asked_email = address where id = of_player;
  return 'set';
end
$$;

-- Forgets the address that was asked for, as its proposal is ended.
create or replace function console_players.forget_address(of_player integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update accounts.player set asked_email = null where id = of_player;
end;

-- Keeps the address that is about to be replaced, for the link by which it comes back.
create or replace function console_players.keep_way_back(of_player integer, way_back bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into accounts.security_link (token_hash, player_id, old_email)
  select way_back, id, email from accounts.player where id = of_player;
end;

-- Of a proposal to replace the address of a lost mailbox: answers null, a word of lock_loser, email_missing if the
-- account never had one, email_taken, or mailbox_known if a code or link that was mailed there was used since the
-- proposal. Used ones are kept for 30 days, of which a link may have been open for three.
create or replace function console_players.judge_address_reset(proposed staff.proposal, of_role text) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  why_not constant text := console_players.lock_loser(proposed.player_id);
  loser constant accounts.player := (select player from accounts.player where id = proposed.player_id);
begin
  if why_not is not null then return why_not; end if;
  if loser.email is null then return 'email_missing'; end if;
  if proposed.proposed_at < app.now() - interval '14 days'
    or exists (select from accounts.email_code where email_key = loser.email_key and used_at > proposed.proposed_at)
    or exists (select from accounts.security_link where player_id = loser.id and used_at > proposed.proposed_at)
  then
    return 'mailbox_known';
  end if;
  if exists (select from accounts.player where email_key = loser.asked_email)
    or accounts.is_way_back(loser.asked_email, loser.id)
  then
    return 'email_taken';
  end if;
  return null;
end
$$;

-- Gives the account the address that was asked for. The person is signed out everywhere, signs in once he has set a
-- password by a code that is mailed there, and his withdrawals are held.
create or replace function console_players.reset_address(confirmed staff.proposal) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
  select accounts.void_codes((confirmed).player_id);
  update accounts.player
  set email = asked_email, email_key = asked_email, asked_email = null,
    password_required_at = coalesce(password_required_at, app.now()), sensitive_changed_at = app.now()
  where id = (confirmed).player_id;
  select accounts.sign_out((confirmed).player_id, 'staff');
end;

-- Counts each person's bets in the night of a day, from midnight to 5 in the morning, once. It reads the bets of the
-- rounds that were open then.
create or replace function console_players.count_night(of_day date) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into console_players.night (player_id, day, bets, staked)
  select bet.player_id, of_day, count(*), sum(bet.total)
  from (select protection.begin_of(of_day) as began,
      (of_day + time '5:00') at time zone time_zone as ended from protection.house) night
    cross join games.game
    join rounds.round on round.game_id = game.id and round.game_day between of_day - 1 and of_day
      and round.opens_at < night.ended and round.seals_at > night.began
    join bets.bet on bet.game_id = round.game_id and bet.issue = round.issue and bet.booked_on = round.game_day
      and bet.accepted_at >= night.began and bet.accepted_at < night.ended and bet.status <> 'refunded'
    join accounts.player on player.id = bet.player_id and accounts.is_person(player)
  group by bet.player_id
  on conflict do nothing;
end
$$;

-- The amounts credited to each person in the last four complete weeks from Monday, if each of the later three has
-- more than the previous one, and the first is not zero. What was taken back does not count.
create or replace function console_players.growing_deposits(until_day date)
returns table (player_id integer, facts jsonb)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with span as (
    select date_trunc('week', until_day + 1)::date - 28 as first_day
  ), credit as (
    select transfer.player_id, credited_at as at, transfer.amount
    from span, deposits.transfer left join protection.held_deposit held
      on held.reference = deposits.reference_of(tx_id, log_index, assignment)
    where credited_at >= protection.begin_of(first_day) and transfer.player_id is not null and held.id is null
    union all
    select bank.player_id, bank.confirmed_at, bank.amount - deposits.taken_back('bank:' || bank.id)
    from span, deposits.bank_deposit bank left join protection.held_deposit held on held.reference = 'bank:' || bank.id
    where bank.state = 'confirmed' and bank.confirmed_at >= protection.begin_of(first_day) and held.id is null
    union all
    select held.player_id, held.decided_at, held.amount - deposits.taken_back(held.reference)
    from span, protection.held_deposit held
    where held.state = 'released' and held.decided_at >= protection.begin_of(first_day)
  ), weeks as (
    select credit.player_id, (protection.day_of(at) - first_day) / 7 as week, min(first_day) as first_day,
      sum(amount) as amount
    from span, credit where protection.day_of(at) < first_day + 28 group by 1, 2
  ), compared as (
    select weeks.*, amount > lag(amount, 1, 0::numeric) over (partition by weeks.player_id order by week) as grows
    from weeks
  )
  select compared.player_id, jsonb_agg(jsonb_build_object('day', first_day + 7 * week,
    'values', jsonb_build_object('deposited', amount::text)) order by week)
  from compared group by compared.player_id having count(*) = 4 and bool_and(grows);
end;

-- Days of the last 28 on which a person staked more than 1.5 times as much as on either of the two days of play
-- before, both of which ended with a loss; two such days or more.
create or replace function console_players.chased_losses(until_day date)
returns table (player_id integer, facts jsonb)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query
  select played.player_id, jsonb_agg(jsonb_build_object('day', day, 'values', jsonb_build_object(
    'staked', staked::text, 'staked_before', most_before::text, 'lost_before', lost_before::text)) order by day)
  from (
    select player_day.*, count(*) over two_before as days_before, max(staked) over two_before as most_before,
      bool_and(paid < staked) over two_before as lost_both, sum(staked - paid) over two_before as lost_before
    from bets.player_day where day between until_day - 41 and until_day
    window two_before as (partition by player_day.player_id order by day rows between 2 preceding and 1 preceding)
  ) played
  where day > until_day - 28 and days_before = 2 and lost_both and staked > 1.5 * most_before
  group by played.player_id having count(*) >= 2;
end
$$;

-- What a person did often: three of his own limits or more that were raised, or removed, in 30 days; five or more of the
-- last 14 nights in which he bet; two or more withdrawals in 30 days that were rejected, which is also how a cashier
-- cancels one at his request.
create or replace function console_players.often_done(until_day date)
returns table (kind text, player_id integer, facts jsonb)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select 'limits_raised', change.player_id, jsonb_agg(jsonb_build_object('day', protection.day_of(at),
    'values', jsonb_strip_nulls(details)) order by change.id)
  from protection.change
  where what = 'limit_raised' and at >= protection.begin_of(until_day - 29)
    and at < protection.begin_of(until_day + 1)
  group by change.player_id having count(*) >= 3
  union all
  select 'nights', night.player_id, jsonb_agg(jsonb_build_object('day', day, 'values',
    jsonb_build_object('bets', bets::text, 'staked', staked::text)) order by day)
  from console_players.night where day between until_day - 13 and until_day
  group by night.player_id having count(*) >= 5
  union all
  select 'withdrawals_rejected', withdrawal.player_id, jsonb_agg(jsonb_build_object('day',
    protection.day_of(decided_at), 'values', jsonb_build_object('amount', amount::text, 'reason', reject_reason))
    order by decided_at, id)
  from withdrawals.withdrawal
  where state = 'rejected' and decided_at >= protection.begin_of(until_day - 29)
    and decided_at < protection.begin_of(until_day + 1)
  group by withdrawal.player_id having count(*) >= 2;
end;

-- Searches for signs in the days up to a past one, once for each day, and stores the present ones. Returns how many
-- there are, or null if it was done before. One process searches at a time.
create or replace function console_players.find_signs(until_day date) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  first_night date;
  found_now integer;
begin
  perform pg_advisory_xact_lock(hashtext('console_players.find_signs'));
  if until_day >= protection.day_of(app.now()) then
    raise exception 'the day % is not over', until_day using errcode = 'check_violation';
  end if;
  select greatest(max(day) + 1, until_day - 13) into first_night from console_players.signs_day;
  insert into console_players.signs_day (day, found_at)
  select until_day, app.now() where first_night <= until_day;
  if not found then return null; end if;
  perform console_players.count_night(each::date)
  from generate_series(first_night::timestamp, until_day::timestamp, interval '1 day') each;
  insert into console_players.sign (player_id, kind, since_day, until_day, facts)
  select sign_found.player_id, sign_found.kind, find_signs.until_day, find_signs.until_day, sign_found.facts from (
    select 'deposits_growing' as kind, * from console_players.growing_deposits(find_signs.until_day)
    union all select 'chasing_losses', * from console_players.chased_losses(find_signs.until_day)
    union all select * from console_players.often_done(find_signs.until_day)
  ) sign_found
  on conflict (player_id, kind) do update set until_day = excluded.until_day, facts = excluded.facts;
  get diagnostics found_now = row_count;
  delete from console_players.sign where sign.until_day < find_signs.until_day;
  delete from console_players.night where day < find_signs.until_day - 30;
  return found_now;
end
$$;

-- Records a contact with a person about his play. Answers 'set' or not_found.
create or replace function console_players.add_contact(of_player integer, on_day date, by_channel text, summary text,
  by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
begin
  if not exists (select from accounts.player where id = of_player and accounts.is_person(player)) then return 'not_found'; end if;
  insert into console_players.contact (player_id, day, channel, text, written_by, written_at)
  values (of_player, on_day, by_channel, summary, by_staff, app.now());
  return 'set';
end
$$;

grant select on console_players.contact, console_players.note, console_players.sign to sum28_api, sum28_jobs;
grant select on console_players.template, console_players.template_text to sum28_api;
grant execute on function console_players.add_contact, console_players.add_note, console_players.ask_address,
  console_players.end_sessions, console_players.forget_address, console_players.keep_way_back,
  console_players.remove_template, console_players.require_password, console_players.set_template to sum28_api;
grant execute on function console_players.find_signs to sum28_jobs;
