/**
 * The nightly search for early signs of trouble with a year behind it, against the same search with six weeks
 * behind it: it looks at six weeks at most, so what is older must cost nothing. Both histories have the same
 * players, each of whom bets every day and pays in every fifth; the searches take turns on one machine.
 */
import type { Database } from '@sum28/server/src/db/database.ts'
import { type BenchDatabase, startBenchDatabase } from './database.ts'
import { makeHistory } from './history.ts'
import { isShort, median, report, saveFigures } from './report.ts'

const PLAYERS = isShort ? 500 : 10_000
const WEEKS = 6
const LONG_DAYS = isShort ? 120 : 365
const TURNS = isShort ? 3 : 9

/** A bet of each player on each day, in a round of the day that follows from both. */
const BETS = `
  insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
    rules_version, stake, total, cash_after, accepted_at, nonce, could_pay, status, payout, settled_at)
  select player, day_no::bigint * $3 + player, game_day, 'bench' || day_no || '_' || player, game_id, issue, 11, '{1}',
    '{1920}', 1, 1000000, 1000000, 0, opens_at + interval '9 s', substr(sha256('n'), 1, 16), 1920000, 'lost', 0,
    settled_at
  from generate_series(0, $2::integer - 1) day_no
    cross join generate_series(1, $3::integer) player
    join rounds.round on game_id = 1 + player % 4 and game_day = $1::date - day_no and number = 1 + player % 274
  where state = 'settled'`

const DAYS = `
  insert into bets.player_day
  select player_id, booked_on, sum(total + id % 7 * 1000000), sum(payout) from bets.bet group by 1, 2`

/** A deposit of each player every fifth day; each tenth was held and released. */
const DEPOSITS = `
  with made as (
    insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id,
      credited_at)
    select 'tx' || player || '_' || day_no, 0, 1, at, 'from', 'to', 5000000 + day_no, player, at
    from generate_series(0, $2::integer - 1, 5) day_no
      cross join generate_series(1, $3::integer) player
      cross join lateral (select $1::date - day_no + interval '8 hours' as at) clock
    returning *)
  insert into protection.held_deposit (player_id, amount, reference, because, held_at, state, decided_at)
  select player_id, amount, 'usdt:' || tx_id || ':0', 'limit', credited_at, 'released', credited_at
  from made where player_id % 10 = 0`

/** A changed limit of each player every tenth day, and a rejected withdrawal every fiftieth. */
const CHANGES = `
  insert into protection.change (player_id, what, details, at)
  select player, 'limit_raised', '{}', $1::date - day_no + interval '9 hours'
  from generate_series(0, $2::integer - 1, 10) day_no cross join generate_series(1, $3::integer) player`
const WITHDRAWALS = `
  insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state,
    requested_at, decided_at, rejected_by, reject_reason)
  select player, day_no::bigint * $3 + player, 1, 1000000, at, 0, 'rejected', at, at, 1, 'payee_wrong'
  from generate_series(0, $2::integer - 1, 50) day_no
    cross join generate_series(1, $3::integer) player
    cross join lateral (select $1::date - day_no + interval '9 hours' as at) clock`

const TABLES =
  'bets.bet, bets.player_day, deposits.transfer, protection.held_deposit, protection.change, withdrawals.withdrawal'

/** Fills a database with so many days up to yesterday, and looks for signs in all but the last of them. */
async function filled(days: number): Promise<BenchDatabase & { lastDay: string }> {
  const database = await startBenchDatabase(4)
  const { owner } = database
  const lastDay = await yesterday(owner)
  await makeHistory(owner, { lastDay, days })
  const client = await owner.pool.connect()
  try {
    for (const setting of [
      'session_replication_role = replica',
      'synchronous_commit = off',
      'statement_timeout = 0',
    ]) {
      await client.query(`set ${setting}`)
    }
    await client.query(
      `insert into accounts.player (id, username, email, email_key, group_id) overriding system value
       select n, 'player' || n, n || '@example.org', n || '@example.org', 1 from generate_series(1, $1::integer) n`,
      [PLAYERS],
    )
    await client.query(BETS, [lastDay, days, PLAYERS])
    await client.query(DAYS)
    for (const each of [DEPOSITS, CHANGES, WITHDRAWALS]) {
      await client.query(each, [lastDay, days, PLAYERS])
    }
    await client.query(`vacuum analyze ${TABLES}`)
    await client.query(`select console_players.find_signs($1::date - 1)`, [lastDay])
    await client.query(`vacuum analyze console_players.night, console_players.sign`)
  } finally {
    client.release(true)
  }
  return { ...database, lastDay }
}

async function yesterday(owner: Database): Promise<string> {
  const [row] = await owner.query<{ day: string }>(
    `select (console_players.day_of(app.now()) - 1)::text as day`,
  )
  if (!row) throw new Error('the database has no day')
  return row.day
}

/** Milliseconds of the search of the last day, which is then undone. */
async function searchOf({ owner }: BenchDatabase, lastDay: string): Promise<[number, number]> {
  const client = await owner.pool.connect()
  try {
    await client.query('begin')
    const begun = performance.now()
    const { rows } = await client.query<{ found: number }>(
      'select console_players.find_signs($1) as found',
      [lastDay],
    )
    const took = performance.now() - begun
    await client.query('rollback')
    return [took, rows[0]?.found ?? 0]
  } finally {
    client.release(true)
  }
}

const few = await filled(7 * WEEKS)
const many = await filled(LONG_DAYS)
try {
  const times: Record<'few' | 'many', number[]> = { few: [], many: [] }
  let found = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [one, other] = turn % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)
    for (const which of [one, other]) {
      const history = which === 'few' ? few : many
      const [took, signs] = await searchOf(history, history.lastDay)
      times[which].push(took)
      found = signs
    }
  }
  const figures = [
    { name: `players who play and pay in`, value: PLAYERS, unit: '' },
    { name: 'signs found', value: found, unit: '' },
    { name: `${WEEKS} weeks of history`, value: median(times.few), unit: 'ms' },
    { name: `${LONG_DAYS} days of history`, value: median(times.many), unit: 'ms' },
    {
      name: 'ratio, turn by turn',
      value: median(times.many.map((each, turn) => each / (times.few[turn] ?? Number.NaN))),
      unit: '×',
    },
  ]
  report('The nightly search for early signs', figures)
  saveFigures('early-signs', { figures })
} finally {
  await few.stop()
  await many.stop()
}
