-- Accounts that look like an excluded player's: found by marks, held, and decided by staff.

-- The other accounts of a player, by the last decision of staff on each pair, and those of these.
create or replace function protection.same_person_as(of_player integer) returns integer[]
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  with recursive same (player_id) as (
    select of_player
    union
    select case same.player_id when pair.player_id then pair.like_player else pair.player_id end
    from same join protection.exclusion pair on pair.kind = 'likeness' and pair.decided_at is not null
      and pair.decision = 'confirmed' and (pair.player_id = same.player_id or pair.like_player = same.player_id)
      and not exists (select from protection.exclusion later
        where later.decision = 'released' and later.decided_at > pair.decided_at
          and (later.player_id = pair.player_id and later.like_player = pair.like_player
            or later.player_id = pair.like_player and later.like_player = pair.player_id))
  )
  select coalesce(array_agg(player_id), '{}') from same where player_id <> of_player;
end;

-- When a player last said that he is under age, in this account or another of his, where staff have accepted no adult's
-- identity since; of one that is closed, nor since in any of his others. Null: none of them is a child's.
create or replace function protection.under_age_since(of_player integer) returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select max(said_under_age_at) from (
    select said_under_age_at, proved_adult_at,
      state = 'closed' and max(proved_adult_at) over () >= said_under_age_at as ended_by_another
    from protection.player join accounts.player account on account.id = player_id
    where player_id = any (of_player || protection.same_person_as(of_player))
  ) same_person
  where proved_adult_at is null and ended_by_another is not true);

-- Whether staff have decided on a likeness since the other player's last break began and, if his is a child's account,
-- since it was last held or confirmed as one; or ever if there was neither: they are not asked again.
create or replace function protection.is_decided(of_player integer, other_player integer, in_kind text)
returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from protection.exclusion
  where player_id = of_player and like_player = other_player and like_in = in_kind
    and decided_at >= coalesce(greatest(
      case when protection.under_age_since(other_player) is not null then (select max(at) from protection.change
        where change.player_id = other_player and what in ('review_begun', 'review_confirmed')) end,
      (select max(began_at) from protection.exclusion began
        where began.player_id = other_player and began.kind <> 'likeness')), '-infinity'));

-- Whether an account is held: as a child's, or for a likeness that staff have still to decide.
create or replace function protection.needs_review(of_player integer) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return protection.under_age_since(of_player) is not null or exists (select from protection.exclusion
  where exclusion.player_id = of_player and kind = 'likeness' and holds and decided_at is null);

-- Holds an account, or holds it no more, as it is now. Returns whether that is new.
create or replace function protection.settle_review(of_player integer) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update protection.player set under_review = not under_review
  where player_id = of_player and under_review <> protection.needs_review(of_player);
  return found;
end
$$;

-- The same for several accounts, with an entry in the log for each of which it is new.
create or replace function protection.settle_reviews(players integer[], moment timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  of_player integer;
begin
  foreach of_player in array players loop
    if protection.settle_review(of_player) then
      perform protection.log_change(of_player, moment,
        case when under_review then 'review_begun' else 'review_released' end, '{}')
      from protection.player where player_id = of_player;
    end if;
  end loop;
end
$$;

-- Holds the accounts that staff have confirmed to be one player's, or holds them no more, as they are now. Others that
-- resemble a child's are shown to staff, as when a player excludes himself.
create or replace function protection.settle_person(of_player integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  persons constant integer[] := of_player || protection.same_person_as(of_player);
  moment timestamptz;
begin
  perform protection.lock_players(persons);
  moment := app.now();
  perform protection.settle_reviews(persons, moment);
  if protection.under_age_since(of_player) is null then return; end if;
  perform pg_advisory_xact_lock(hashtext('protection.mark'));
  perform protection.find_alike(person_too, moment) from unnest(persons) person_too;
end
$$;

-- Holds the account of a player who says that he is under age, until staff accept an adult's identity in it, or in
-- another of his if it is closed.
create or replace function protection.hold_under_age(of_player integer, born_in integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz;
begin
  perform protection.lock_player(of_player);
  moment := app.now();
  update protection.player set under_review = true, said_under_age_at = moment, proved_adult_at = null
  where player_id = of_player;
  perform protection.log_change(of_player, moment, 'review_begun', jsonb_build_object('born', born_in));
  perform protection.settle_person(of_player);
end
$$;

-- Records that staff have accepted an adult's identity in an account, or accept it no longer.
create or replace function protection.set_proved_adult(of_player integer, proved boolean) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform protection.lock_player(of_player);
  update protection.player set proved_adult_at = case when proved then app.now() end where player_id = of_player;
  perform protection.settle_person(of_player);
end
$$;

-- When a player's present break ends; of a self-exclusion, the time from which he may ask to return.
create or replace function protection.break_ends(of_player integer) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
return (select case when excluded_until < 'infinity' then excluded_until
    else (select max(ends_at) from protection.exclusion began where began.player_id = of_player) end
  from protection.player where player.player_id = of_player);

-- With how many other accounts one is compared by staff for one value at the most: one of them holds it as well as all.
create or replace function protection.alike_max() returns integer
language sql immutable return 20;

-- Shows staff the accounts that existed before an exclusion and resemble the excluded player's, or a child's: of each
-- value those of the oldest ones. They are not held, because a player can give another's wallet or document before he
-- excludes himself.
create or replace function protection.find_alike(of_player integer, moment timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  is_child constant boolean := protection.under_age_since(of_player) is not null;
begin
  insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
  select alike.player_id, 'likeness', moment, of_player, alike.kind
  from (select distinct other.player_id, own.kind
      from protection.mark own cross join lateral (
        select player_id from protection.mark
        where kind = own.kind and hash = own.hash and player_id <> of_player
        order by player_id limit protection.alike_max()) other
      where own.player_id = of_player offset 0) alike
    join protection.player other_row on other_row.player_id = alike.player_id
    join protection.player excluded on excluded.player_id = of_player
  where not (((excluded.excluded_until > moment) is not true
        or coalesce(other_row.excluded_until >= excluded.excluded_until
          and protection.break_ends(alike.player_id) >= protection.break_ends(of_player), false))
      and (not is_child or protection.under_age_since(alike.player_id) is not null))
    and not protection.is_decided(alike.player_id, of_player, alike.kind)
  on conflict (player_id, like_player, like_in) where kind = 'likeness' and decided_at is null do nothing;
end
$$;

-- When an account may give another number of a document, wallet or card; null: now. It may give 6 new ones within 24
-- hours and 15 within 30 days. If the clock was set back, numbers given later count as well.
create or replace function protection.next_number_at(of_player integer, moment timestamptz) returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp
return (select max(oldest.noted_at + allowed.within)
  from (values (6, interval '24 hours'), (15, interval '30 days')) allowed (numbers, within)
    cross join lateral (
      select noted_at from protection.mark where player_id = of_player and counts
      order by noted_at desc offset allowed.numbers - 1 limit 1
    ) oldest
  where oldest.noted_at + allowed.within > moment);

-- Holds an account for staff that resembles others, each in a kind of mark; those that are decided are left out. Of many
-- others those count that are excluded the longest.
create or replace function protection.begin_review(of_player integer, others integer[], kinds text[],
  moment timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into protection.exclusion (player_id, kind, began_at, like_player, like_in, holds)
  select of_player, 'likeness', moment, alike.player_id, alike.in_kind, true
  from (select distinct other.excluded_until, other.player_id, of_kind.in_kind
      from unnest(others, kinds) of_kind (player_id, in_kind) join protection.player other using (player_id)
      where other.player_id <> of_player
      order by other.excluded_until desc nulls last, other.player_id offset 0) alike
  where not protection.is_decided(of_player, alike.player_id, alike.in_kind)
  limit protection.alike_max()
  on conflict (player_id, like_player, like_in) where kind = 'likeness' and decided_at is null
  do update set holds = true;
  if not found then return; end if;
  update protection.player set under_review = true where player_id = of_player;
  perform protection.log_change(of_player, moment, 'review_begun', '{}');
end
$$;

-- Stores a value that identifies an account, as keyed hashes: the first with the present key, the others with earlier
-- ones. A value that is new to the account is compared with those of other accounts, and a number that its player gives
-- (of_kind document, wallet or card) is counted. Returns whether it is new; may_at is null if it was stored, otherwise
-- the time from which the account may give another number, and nothing was done.
create or replace function protection.note_mark(of_player integer, of_kind text, hashes bytea[], with_key text,
  out is_new boolean, out may_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  protection_row constant protection.player := protection.lock_player(of_player);
  moment constant timestamptz := app.now();
  is_number constant boolean := of_kind in ('document', 'wallet', 'card');
begin
  is_new := not exists (select from protection.mark
    where player_id = of_player and kind = of_kind and hash = any (hashes));
  if is_new and is_number then may_at := protection.next_number_at(of_player, moment); end if;
  if may_at is not null then return; end if;
  -- Who begins an exclusion waits for this mark, and makes it wait.
  perform pg_advisory_xact_lock_shared(hashtext('protection.mark'));
  insert into protection.mark (player_id, kind, hash, key_id, noted_at, counts)
  values (protection_row.player_id, of_kind, hashes[1], with_key, moment, is_new and is_number)
  on conflict do nothing;
  if not is_new then return; end if;
  -- Others who had it before him are shown, as when he excluded himself or said that he is under age.
  if protection_row.excluded_until > moment
    or protection_row.under_review and protection.under_age_since(of_player) is not null then
    perform protection.find_alike(of_player, moment);
  end if;
  -- It is held if others who have it are excluded or under review. The player learns nothing of that.
  perform protection.begin_review(of_player, array_agg(mark.player_id), array_agg(mark.kind), moment)
  from protection.mark join protection.player other on other.player_id = mark.player_id
  where mark.kind = of_kind and mark.hash = any (hashes) and (other.excluded_until > moment or other.under_review);
end
$$;

-- Stores marks for values that players had before, and holds no account: common values of two players are then not
-- new. A known mark is not changed. An account that was anonymised since its values were read gets none.
create or replace function protection.note_earlier_marks(players integer[], kinds text[], hashes bytea[],
  with_key text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  select pg_advisory_xact_lock_shared(hashtext('protection.mark'));
  insert into protection.mark (player_id, kind, hash, key_id, noted_at)
  select mark.of_player, mark.of_kind, mark.of_hash, with_key, app.now()
  from unnest(players, kinds, hashes) as mark (of_player, of_kind, of_hash)
    join (select id from accounts.player
      where id = any (players) and anonymised_at is null for share) named on named.id = mark.of_player
  on conflict do nothing;
end;

-- Records the key with which all marks of these players are made.
create or replace function protection.set_marked(players integer[], with_key text) returns void
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  select from ledger.balance where holder_id = any (players) order by holder_id for no key update;
  update protection.player set marked_with = with_key where player_id = any (players);
end;

-- Until when a break lasts; null: it is a likeness.
create or replace function protection.goes_on_until(of_break protection.exclusion) returns timestamptz
language sql immutable
return case of_break.kind when 'time_out' then of_break.ends_at
  when 'self_exclusion' then coalesce(of_break.end_requested_at + protection.end_wait(), 'infinity') end;

-- Gives an account the active breaks of another one. Returns whether there was one, or the other is a child's. An
-- account that was closed without a break has none: its player may come back.
create or replace function protection.share_exclusion(of_player integer, from_player integer, moment timestamptz)
returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  until timestamptz;
begin
  with shared as (
    insert into protection.exclusion (player_id, kind, began_at, ends_at, end_requested_at, shared_from)
    select of_player, kind, began_at, ends_at, end_requested_at, coalesce(shared_from, from_player)
    from protection.exclusion going_on
    where going_on.player_id = from_player and protection.goes_on_until(going_on) > moment
    returning exclusion
  )
  select max(protection.goes_on_until(exclusion)) into until from shared;
  update protection.player set excluded_until = greatest(excluded_until, until)
  where player_id = of_player and until is not null;
  return until is not null or protection.under_age_since(from_player) is not null;
end
$$;

-- Ends the active breaks, and the hold of a child, that an account has only because a likeness was confirmed before; and
-- the reviews of accounts that resembled it since only for these.
create or replace function protection.unshare_exclusions(of_player integer, confirmed protection.exclusion,
  moment timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  same_person constant integer[] := protection.same_person_as(of_player);
  unheld constant boolean := not protection.needs_review(of_player) and protection.settle_review(of_player);
  others integer[];
begin
  delete from protection.exclusion ended
  where player_id = of_player and shared_from is not null and shared_from <> all (same_person)
    and protection.goes_on_until(ended) > moment;
  if not (found or unheld) then return; end if;
  update protection.player set excluded_until = (
    select max(protection.goes_on_until(exclusion)) from protection.exclusion where exclusion.player_id = of_player)
  where player_id = of_player and (select state from accounts.player where id = of_player) <> 'closed';
  perform protection.log_change(of_player, moment, 'review_released', '{}');
  -- A date of birth given in a closed account counts again without the other's identity.
  if protection.needs_review(of_player)
    or exists (select from protection.player where player_id = of_player and excluded_until > moment) then return; end if;
  with ended as (
    delete from protection.exclusion
    where kind = 'likeness' and like_player = of_player and decided_at is null and began_at >= confirmed.decided_at
    returning player_id)
  select array_agg(distinct player_id order by player_id) into others from ended;
  perform protection.settle_reviews(coalesce(others, '{}'), moment);
end
$$;

-- Locks players, one after the other.
create or replace function protection.lock_players(players integer[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  of_player integer;
begin
  for of_player in select player_id from protection.player where player_id = any (players) order by player_id loop
    perform protection.lock_player(of_player);
  end loop;
end
$$;

-- Decides on the likeness of an account to an excluded one: releases it, or confirms that both are one
-- person's, whose exclusion then holds for both, as will later ones. `again`: otherwise than it was decided before; a
-- release then ends what stood only by the confirmation. Answers 'released', 'confirmed', not_found, decided, or
-- not_excluded (no exclusion of the other account goes on, nor is it a child's, so there is nothing to confirm).
create or replace function protection.decide_likeness(of_likeness bigint, confirms boolean, why text,
  by_session text, again boolean default false) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'finance', 'support');
  outcome constant text := case when confirms then 'confirmed' else 'released' end;
  moment timestamptz;
  likeness protection.exclusion;
  same_person integer[];
  persons integer[];
begin
  if confirms is null then raise exception 'a decision is yes or no' using errcode = 'null_value_not_allowed'; end if;
  -- Who is one person with whom changes by one decision after the other.
  perform pg_advisory_xact_lock(hashtext('protection.likeness'));
  -- The players first, as everywhere: a mark that one gives meanwhile locks him and then this row, and a further break of
  -- the other is shared by the one of both that comes later.
  select * into likeness from protection.exclusion where id = of_likeness and kind = 'likeness';
  if likeness.id is null then return 'not_found'; end if;
  same_person := array_remove(protection.same_person_as(likeness.player_id), likeness.like_player);
  persons := likeness.player_id || same_person || likeness.like_player || protection.same_person_as(likeness.like_player);
  perform protection.lock_players(persons || array(select alike.player_id from protection.exclusion alike
    where alike.kind = 'likeness' and alike.decided_at is null and alike.like_player = any (persons)));
  select * into likeness from protection.exclusion where id = of_likeness for update;
  if likeness.decided_at is not null and (again is not true or likeness.decision = outcome) then return 'decided'; end if;
  moment := app.now();
  if confirms and not protection.share_exclusion(likeness.player_id, likeness.like_player, moment) then
    return 'not_excluded';
  end if;
  update protection.exclusion
  set decision = outcome, decide_reason = why, decided_by = by_staff, decided_at = moment
  where id = of_likeness;
  if confirms then
    -- What was confirmed to be this player's is that person's too.
    perform protection.share_exclusion(person_too, likeness.like_player, moment) from unnest(same_person) person_too;
    -- A player learns what changes for him, not that staff have decided.
    perform protection.log_change(player_id, moment, 'review_confirmed', '{}'), protection.settle_review(player_id)
    from protection.player where player_id = any (likeness.player_id || same_person)
      and (excluded_until > moment or protection.needs_review(player_id));
  elsif likeness.decision = 'confirmed' then
    perform protection.unshare_exclusions(person_too, likeness, moment) from unnest(persons) person_too;
  end if;
  perform protection.settle_reviews(persons, moment);
  if confirms then
    -- Further accounts resemble those that are excluded now, or held as a child's.
    perform pg_advisory_xact_lock(hashtext('protection.mark'));
    perform protection.find_alike(person_too, moment) from unnest(persons) person_too;
  end if;
  return outcome;
end
$$;

-- The other accounts with a card, wallet or device of a player, or with a network that both were in within 30 days: of
-- each kind the latest 50. A device or network that more than `most` others have tells nothing of any of them: it is only
-- counted.
create or replace function protection.linked_with(of_player integer, most integer)
returns table (by text, other_id integer, username text, state text, at timestamptz, crowded integer)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with own as (
    select kind, hash, noted_at as at from protection.mark
    where player_id = of_player and kind in ('card', 'wallet', 'device')
    union all
    select 'network', network_hash, last_at from accounts.known_network
    where player_id = of_player and last_at > (select app.now() - interval '30 days')
  ), shared as (
    select own.kind, found.player_id, least(own.at, found.at) as at,
      own.kind in ('device', 'network') and count(*) over (partition by own.kind, own.hash) > most as is_crowd,
      row_number() over (partition by own.kind, own.hash) as place
    from own cross join lateral (
      (select mark.player_id, mark.noted_at as at from protection.mark
        where own.kind <> 'network' and mark.kind = own.kind and mark.hash = own.hash
          and mark.player_id <> of_player order by mark.player_id desc limit greatest(most + 1, 50))
      union all
      (select known.player_id, known.last_at from accounts.known_network known
        where own.kind = 'network' and known.network_hash = own.hash and known.player_id <> of_player
          and known.last_at > (select app.now() - interval '30 days') limit most + 1)) found
  ), other as (
    select kind, player_id, max(at) as at, row_number() over (partition by kind order by max(at) desc, player_id) as place
    from shared where not is_crowd group by kind, player_id
  )
  select other.kind, player.id, player.username, player.state, other.at, null
  from other join accounts.player on player.id = other.player_id where other.place <= 50
  union all
  select kind, null, null, null, null, count(*)::integer from shared where is_crowd and place = 1 group by kind
  order by 1, 5 desc;
end;

grant execute on function protection.decide_likeness, protection.goes_on_until, protection.linked_with,
  protection.note_mark, protection.under_age_since to sum28_api;
grant execute on function protection.note_earlier_marks, protection.set_marked to sum28_jobs;
