/** Fills a database with a year of bets of very many players, in SQL with triggers off. */
import { addDays } from '@sum28/domain/schedule.ts'
import type { Database } from '@sum28/server/src/db/database.ts'
import type pg from 'pg'
import { isShort } from './report.ts'

const GAMES = 4
const DAYS = isShort ? 30 : 360
const ROUNDS_A_DAY = 274
/** The last day of the year of rounds. */
const LAST_DAY = addDays(new Date().toISOString().slice(0, 10), -2)

/** Ids of these players, far from those that the product gives. */
const FIRST_PLAYER = 1_000_001
/** The ids of bets and postings that the product gives come after these. */
const IDS_MAX = 2_000_000_000

/**
 * Fills a database that nobody uses yet: with rounds of the last year, or month in a short
 * run, and with bets and their postings that players share evenly.
 */
export async function fillYear(
  owner: Database,
  { bets, players }: { bets: number; players: number },
): Promise<void> {
  await makeRounds(owner)
  const people = [
    {
      table: 'accounts.player',
      sql: `insert into accounts.player (id, username, email, email_key, group_id) overriding system value
        select n, name, name || '@example.org', name || '@example.org', 1
        from generate_series(${FIRST_PLAYER}, ${FIRST_PLAYER + players - 1}) n
          cross join lateral (select 'deep' || n as name) named`,
    },
    ...['ledger.balance (holder_id)', 'protection.player (player_id)'].map((into) => ({
      table: into.split(' ')[0] as string,
      sql: `insert into ${into} select generate_series(${FIRST_PLAYER}, ${FIRST_PLAYER + players - 1})`,
    })),
  ]
  const year = { bets, players, firstPlayer: FIRST_PLAYER, firstId: IDS_MAX / 2 }
  await Promise.all([
    loadTables(owner, [
      ...people,
      { table: 'bets.bet', sql: betsSql(year) },
      { table: 'bets.player_day', sql: daysOfPlaySql(year) },
    ]),
    loadTables(owner, [{ table: 'ledger.posting', sql: postingsSql(year) }]),
  ])
  // The console's figures of these rounds would have been counted after each round. Here the server would count
  // them all during the measurement.
  await owner.query(
    `insert into console_start.counted select id, current_date - 1 from games.game
     on conflict (game_id) do update set through = excluded.through`,
  )
}

/** Fills an empty database with the rounds of four games, drawn or void, of each day up to the last one. */
async function makeRounds(owner: Database): Promise<void> {
  await runLoading(owner, async (client) => {
    await client.query(`set work_mem = '256MB'`)
    await client.query(
      `insert into fairness.chain (game_id, length, used, commitment, encrypted_secret, key_id)
       select game, $1, $1, sha256(game::text::bytea), 'secret', 'bench' from generate_series(1, ${GAMES}) game`,
      [DAYS * ROUNDS_A_DAY],
    )
    await client.query(ROUNDS, [LAST_DAY, DAYS - 1])
    for (const sql of [DRAWS, DAYS_OF_ROUNDS]) await client.query(sql)
    for (const table of ['round', 'draw', 'day'])
      await client.query(`vacuum analyze rounds.${table}`)
  })
}

/** Gives some players bets over the last year, with their postings. Later bets get ids above all that were made here. */
export async function addOwnBets(
  owner: Database,
  { firstPlayer, players, each }: { firstPlayer: number; players: number; each: number },
): Promise<void> {
  const ofPlayers = { bets: each * players, players, firstPlayer, firstId: 1 }
  await runLoading(owner, async (client) => {
    for (const sql of [betsSql(ofPlayers), postingsSql(ofPlayers)]) await client.query(sql)
    for (const ids of ['bets.bet_id', 'ledger.posting_id']) {
      await client.query('select setval($1, $2)', [ids, IDS_MAX])
    }
  })
}

type Year = { bets: number; players: number; firstPlayer: number; firstId: number }

/** Each bet of a year: its number, its player, and when it was accepted. */
const each = ({ bets, players, firstPlayer }: Year) =>
  `from generate_series(0, ${bets - 1}) n
     cross join lateral (select ${firstPlayer} + n % ${players} as player, current_date - ${DAYS + 1}
       + n * (interval '${DAYS - 1} days' / ${bets}) as at) made`

function betsSql(year: Year): string {
  return `insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
      rules_version, stake, total, cash_after, posting_id, accepted_at, nonce, status, payout, settled_at, could_pay,
      client_key)
    select player, id, at, bets.order_no(at::date, id), game, to_char(at, 'YYYYMMDD')::bigint * 1000 + 1 + n % ${ROUNDS_A_DAY},
      game * 10 + 1 + n / 4 % 4, '{1}', '{1920}', 1, 100000000, 100000000, 0, id, at,
      '\\x00112233445566778899aabbccddeeff', case n % 2 when 0 then 'won' else 'lost' end,
      case n % 2 when 0 then 192000000 else 0 end, at + interval '4 minutes', 192000000, 'deep ' || id
    ${each(year)} cross join lateral (select ${year.firstId}::bigint + n as id, 1 + n % 4 as game) placed`
}

function daysOfPlaySql(year: Year): string {
  return `insert into bets.player_day select player, at, 100000000, 0 ${each(year)} on conflict do nothing`
}

function postingsSql(year: Year): string {
  return `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount, cash_after,
      held_after, reference)
    select player, ${year.firstId}::bigint + n, at, at, 'stake', 'cash', 'house:game', 100000000, 0, 0,
      'bet:' || ${year.firstId}::bigint + n
    ${each(year)}`
}

/** Fills tables one after the other, each by its statement. */
async function loadTables(
  owner: Database,
  loads: readonly { table: string; sql: string }[],
): Promise<void> {
  await runLoading(owner, async (client) => {
    for (const { table, sql } of loads) {
      await client.query(sql)
      await client.query(`vacuum analyze ${table}`)
    }
  })
}

/** Does work on a connection of its own, without triggers, without waiting for the disk, and for as long as it takes. */
async function runLoading(
  owner: Database,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await owner.pool.connect()
  try {
    await client.query(`set session_replication_role = replica`)
    await client.query(`set synchronous_commit = off`)
    await client.query(`set statement_timeout = 0`)
    await work(client)
  } finally {
    client.release(true)
  }
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
  from generate_series(0, $2::integer) at_day,
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

const DAYS_OF_ROUNDS = `
  insert into rounds.day (game_id, game_day, results)
  select game_id, game_day, count(*) from rounds.round group by game_id, game_day`
