/** Makes a round with very many bets, in SQL with triggers off. */
import type { Database } from '@sum28/server/src/db/database.ts'

/** A round that was made, the players who hold its bets, and when it appeared, in milliseconds since 1970. */
export type MadeRound = { gameId: number; issue: string; holders: number[]; madeAt: number }

/**
 * Makes a round beside the running one of a game, with bets of 100 u that share the holders. It appears with all of
 * its bets at once; half of them win.
 *
 * @param sealsInMs when an open round is sealed, in milliseconds from its making on
 */
export async function makeRound(
  owner: Database,
  made: { gameId: number; bets: number; holders: number[] } & (
    | { state: 'drawn' }
    | { state: 'open'; sealsInMs: number }
  ),
): Promise<MadeRound> {
  const { gameId, bets, holders, state } = made
  const client = await owner.pool.connect()
  const run = (text: string, values: unknown[] = []) => client.query(text, values)
  try {
    await run('set session_replication_role = replica')
    await run('set statement_timeout = 0')
    await run('begin')
    // No round of the calendar has this number: a day has a few of an hour each.
    const { rows } = await run(
      `select to_char(game_day, 'YYYYMMDD') || '900' as issue from rounds.round
       where game_id = $1 order by draws_at desc limit 1`,
      [gameId],
    )
    const issue = String(rows[0].issue)
    await run(BETS, [gameId, issue, bets, holders[0], holders.length])
    await run(ROUND, [gameId, issue, state, state === 'open' ? made.sealsInMs / 1_000 : -60])
    if (state === 'drawn') await run(DRAW, [gameId, issue])
    await run('analyze bets.bet')
    await run('commit')
    return { gameId, issue, holders, madeAt: Date.now() }
  } finally {
    client.release(true)
  }
}

/** Beside the round that runs, with its seed's chain; a round that is open has ten minutes until its draw. */
const ROUND = `
  insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, state, chain_id, chain_index,
    beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis, beacon_period, beacon_round,
    voids_at, book_root, book_size, sealed_at)
  select game_id, $2::bigint, game_day, 900, now() - interval '1 hour', seals, draws, $3::text, chain_id, chain_index + 1000000, beacon_kind, beacon_chain_hash, beacon_public_key,
    beacon_scheme, beacon_genesis, beacon_period, ceil((extract(epoch from draws) - beacon_genesis) / beacon_period) + 1,
    draws + interval '10 minutes', case when not open then sha256('') end, case when not open then 0 end,
    case when not open then seals end
  from rounds.round, lateral (select clock_timestamp() + $4::float8 * interval '1 s' as seals, $3::text = 'open' as open) times,
    lateral (select seals + interval '10 minutes' * open::integer + interval '30 s' as draws) due
  where game_id = $1::integer order by draws_at desc limit 1`

const BETS = `
  insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli, rules_version,
    stake, total, cash_after, posting_id, accepted_at, nonce, could_pay, client_key)
  select sought.first + n % sought.count, id, day, bets.order_no(day, id), game_id, sought.issue::bigint, game_id * 10 + 1,
    array[case n % 2 when 0 then winning.rules[1] else losing.rule end], '{1920}', 1, 100000000, 100000000, 0, 0, now(),
    substr(sha256(n::text::bytea), 1, 16), 192000000, 'made ' || id
  from (select n, nextval('bets.bet_id') as id from generate_series(1, $3::integer) n offset 0) numbered,
    (select $1::integer as game_id, $2::text as issue, $4::integer as first, $5::integer as count) sought,
    (select to_date(left($2::text, 8), 'YYYYMMDD') as day offset 0) days,
    (select games.winning_rules(27) as rules offset 0) winning,
    (select min(rule_id) as rule from games.odds where rule_id <> all (games.winning_rules(27)) offset 0) losing`

const DRAW = `
  insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
  values ($1::integer, $2::bigint, sha256('seed'), '', sha256(''), 9, 9, 9)`
