-- The closed book of a round: the tree over its accepted bets, which grows with them.

-- A bet's leaf in the closed book (RFC 6962): the hash of its text of version 2, as in packages/fairness.
create or replace function bets.leaf_hash(of_bet bets.bet) returns bytea
language sql immutable
return sha256('\x00'::bytea || convert_to('2|' || of_bet.order_no || '|' || of_bet.room_id || '|['
  || array_to_string(of_bet.rule_ids, ',') || ']|' || array_to_string(of_bet.odds_milli, ',') || '|'
  || of_bet.rules_version || '|' || of_bet.stake || '|' || encode(of_bet.nonce, 'hex'), 'UTF8'));

-- Up to so many bets of a round after one of them, in the order of acceptance: those of each of its rooms, joined.
create or replace function bets.accepted_after(of_game smallint, of_issue bigint, day date, after bigint, last bigint,
  bets_max integer) returns setof bets.bet
language sql stable
begin atomic
  select bet.* from games.room cross join lateral (
    select * from bets.bet
    where bet.room_id = room.id and bet.id > after and bet.id <= last and bet.issue = of_issue and bet.booked_on = day
    order by bet.id limit bets_max
  ) bet
  where room.game_id = of_game
  order by bet.id limit bets_max;
end;

-- Locks a round's book, which begins before the round's first bet. A row of nulls if there is no bet.
create or replace function bets.locked_book(of_game smallint, of_issue bigint, day date) returns bets.book
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  book_row bets.book;
begin
  if not exists (select from bets.book where game_id = of_game and issue = of_issue) then
    insert into bets.book (game_id, issue, last_bet_id)
    select of_game, of_issue, min(id) - 1 from bets.bet
    where game_id = of_game and issue = of_issue and booked_on = day having count(*) > 0
    on conflict do nothing;
  end if;
  select * into book_row from bets.book where game_id = of_game and issue = of_issue for no key update;
  return book_row;
end
$$;

-- Adds up to so many bets of a round to its book that are not in it yet; returns how many. A batch holds the round's
-- lock until its bets are visible, so bets become visible in the order of their ids, and the book always contains the
-- bets that were accepted first.
create or replace function bets.extend_book(of_game smallint, of_issue bigint, bets_max integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  book_row bets.book;
  day date;
  leaf record;
  node bytea;
  level integer;
  position integer;
  before integer;
begin
  select game_day into day from rounds.round where game_id = of_game and issue = of_issue;
  book_row := bets.locked_book(of_game, of_issue, day);
  if book_row.issue is null then return 0; end if;
  before := book_row.size;
  for leaf in
    select id, bets.leaf_hash(bet) as hash
    from bets.accepted_after(of_game, of_issue, day, book_row.last_bet_id, 9223372036854775807, bets_max) bet
  loop
    node := leaf.hash;
    level := 0;
    position := book_row.size;
    if position % 256 = 0 then book_row.block_first_id := leaf.id; end if;
    -- Two complete subtrees of one size make one of twice the size.
    while position % 2 = 1 loop
      node := sha256('\x01'::bytea || book_row.subtree_roots[level + 1] || node);
      level := level + 1;
      position := position / 2;
      if level >= 8 then
        insert into bets.book_node (game_id, issue, level, position, hash, first_bet_id)
        values (of_game, of_issue, level, position, node, case when level = 8 then book_row.block_first_id end);
      end if;
    end loop;
    book_row.subtree_roots[level + 1] := node;
    book_row.size := book_row.size + 1;
    book_row.last_bet_id := leaf.id;
  end loop;
  if book_row.size > before then
    update bets.book set size = book_row.size, last_bet_id = book_row.last_bet_id,
      block_first_id = book_row.block_first_id, subtree_roots = book_row.subtree_roots
    where game_id = of_game and issue = of_issue;
  end if;
  return book_row.size - before;
end
$$;

-- The root of a book: its complete subtrees, joined from the smallest to the largest.
create or replace function bets.root_of(size integer, subtree_roots bytea[]) returns bytea
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  root bytea;
begin
  if size = 0 then return sha256(''); end if;
  for level in 0 .. 30 loop
    if (size >> level) & 1 = 1 then
      root := case when root is null then subtree_roots[level + 1]
        else sha256('\x01'::bytea || subtree_roots[level + 1] || root) end;
    end if;
  end loop;
  return root;
end
$$;

-- Ends betting on a round at its seal time and closes its book, in one step, while nobody can know the beacon's
-- value. Bets take the same lock: a bet that was recorded before is in the book, and a later order finds the round
-- sealed. The root is computed here from the bets themselves. False if it is too early, too late, or already done.
create or replace function bets.seal(of_game smallint, of_issue bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  locked_round rounds.round := rounds.lock(of_game, of_issue);
  moment timestamptz := app.now();
  closed_book bets.book;
begin
  if locked_round.state is distinct from 'open' or moment < locked_round.seals_at or moment >= locked_round.draws_at
    -- Its value was seen already, whatever the clock says.
    or exists (select from games.house where beacon_seen >= locked_round.beacon_round
      and beacon_seen_chain = locked_round.beacon_chain_hash)
  then
    return false;
  end if;
  perform bets.extend_book(of_game, of_issue, 2147483647);
  select * into closed_book from bets.book where game_id = of_game and issue = of_issue;
  moment := app.now();
  if moment >= locked_round.draws_at then return false; end if;
  update rounds.round
  set state = 'sealed', sealed_at = moment, book_size = coalesce(closed_book.size, 0),
    book_root = bets.root_of(coalesce(closed_book.size, 0), closed_book.subtree_roots)
  where game_id = of_game and issue = of_issue;
  return true;
end
$$;

grant select on bets.book, bets.book_node to sum28_api, sum28_jobs;
grant execute on function bets.root_of to sum28_api, sum28_jobs;
grant execute on function bets.accepted_after, bets.leaf_hash to sum28_api;
grant execute on function bets.extend_book, bets.seal to sum28_engine;
