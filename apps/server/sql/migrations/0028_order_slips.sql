-- An order on its way through the steps of bets.place: what was asked for, what each step found, and
-- the reason with which it was refused, null while it stands.

create type bets.order_slip as (
  -- The order's place in its batch.
  ord integer,
  player_id integer,
  key text,
  input_hash text,
  -- Ids are as wide as a request may write them: one that no rule or game has is refused, not a fault.
  game_id integer,
  issue bigint,
  room_id integer,
  rule_ids integer[],
  -- Micro-units, on each rule and in all.
  stake bigint,
  total bigint,
  follow_id bigint,
  nonce text,
  reason text,
  facts jsonb,
  booked_on date,
  odds_milli integer[],
  rules_version integer,
  -- The balance that the room asks for.
  entry_min bigint,
  -- What the player's bets of the round, this one with them, pay if every selection hits.
  could_pay bigint
);

-- It answers slips now, and PostgreSQL replaces no function by one that answers something else.
drop function if exists bets.claim_keys(jsonb);
