/** Makes years of drawn rounds, in SQL with triggers off. */
import type { Database } from '@sum28/server/src/db/database.ts'

const GAMES = 4
const ROUNDS_A_DAY = 274

/** Days made in one statement: few enough to be sorted in memory. */
const DAYS_AT_ONCE = 365

/** Statements that drop the secondary indexes before the load, and that make them again. */
type Indexes = { make: string[]; drop: string[] }

/**
 * Fills an empty database with days of four games, up to `lastDay`.
 *
 * @returns the number of rounds
 */
export async function makeHistory(
  owner: Database,
  { lastDay, days }: { lastDay: string; days: number },
): Promise<number> {
  const client = await owner.pool.connect()
  const run = (text: string, values?: unknown[]) => client.query(text, values)
  try {
    await run(`set session_replication_role = replica`)
    await run(`set synchronous_commit = off`)
    await run(`set work_mem = '256MB'`)
    await run(`set maintenance_work_mem = '512MB'`)
    const { rows } = await run(
      `select 'create' || substr(indexdef, 7) as make, format('drop index rounds.%I', indexname) as drop
       from pg_indexes where schemaname = 'rounds' and tablename = 'round'
         and indexname not in (select conname from pg_constraint where conrelid = 'rounds.round'::regclass)`,
    )
    const indexes: Indexes = {
      make: rows.map((row) => row.make),
      drop: rows.map((row) => row.drop),
    }
    for (const statement of indexes.drop) await run(statement)
    await run(
      `insert into fairness.chain (game_id, length, used, commitment, encrypted_secret, key_id)
       select game, $1, $1, sha256(game::text::bytea), 'secret', 'bench' from generate_series(1, ${GAMES}) game`,
      [days * ROUNDS_A_DAY],
    )
    for (let first = 0; first < days; first += DAYS_AT_ONCE) {
      const until = Math.min(first + DAYS_AT_ONCE, days) - 1
      await run(ROUNDS, [lastDay, days - 1, first, until])
    }
    await run(DRAWS)
    await run(CANDLES)
    await run(DAYS)
    for (const statement of indexes.make) await run(statement)
    for (const table of ['round', 'draw', 'candle', 'day'])
      await run(`vacuum analyze rounds.${table}`)
  } finally {
    client.release(true)
  }
  return days * ROUNDS_A_DAY * GAMES
}

const ROUNDS = `
  insert into rounds.round (game_id, issue, game_day, number, opens_at, seals_at, draws_at, state,
    chain_id, chain_index, beacon_kind, beacon_chain_hash, beacon_public_key, beacon_scheme, beacon_genesis,
    beacon_period, beacon_round, voids_at, book_root, book_size, sealed_at, settled_at, voided_at, void_reason)
  select game, to_char(day, 'YYYYMMDD')::bigint * 1000 + number, day, number, at, at + interval '180 s',
    at + interval '210 s', case when void then 'voided' else 'settled' end, game,
    at_day * ${ROUNDS_A_DAY} + number, 'drand', 'hash of the chain', 'key of the chain', 'scheme',
    extract(epoch from at)::bigint + 210, 3, 1, at + interval '810 s', case when not void then sha256('book') end,
    case when not void then 0 end, case when not void then at + interval '180 s' end, at + interval '212 s',
    case when void then at + interval '211 s' end, case when void then 'sealed_late' end
  from generate_series($3::integer, $4::integer) at_day,
    lateral (select $1::date - $2::integer + at_day as day) calendar,
    generate_series(1, ${ROUNDS_A_DAY}) number,
    lateral (select (day + interval '2 hours' + (number - 1) * interval '210 s') at time zone 'UTC' as at,
      (at_day * 31 + number * 17) % 997 = 0 as void) clock,
    generate_series(1, ${GAMES}) game
  order by at, game`

const DRAWS = `
  insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3, drawn_at)
  select game_id, issue, sha256('seed'), sha256('one half') || sha256('the other'), sha256('beacon'),
    floor(random() * 10), floor(random() * 10), floor(random() * 10), draws_at + interval '1 s'
  from rounds.round where state = 'settled'`

const CANDLES = `
  insert into rounds.candle (game_id, game_day, issue, opened)
  select game_id, game_day, issue, coalesce(sum(2 * total - 27) over (partition by game_id, game_day
    order by issue rows between unbounded preceding and 1 preceding), 0)
  from rounds.round join rounds.draw using (game_id, issue)`

const DAYS = `
  insert into rounds.day (game_id, game_day, results)
  select game_id, game_day, count(*) from rounds.round group by game_id, game_day`
