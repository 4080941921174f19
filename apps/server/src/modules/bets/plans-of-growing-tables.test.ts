/** Statements of every order and every heartbeat read by an index, however much history there is. */
import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { openDatabase, type Queryable, type Transaction } from '#src/db/database.ts'
import { useOfKey } from '#src/db/key-store.ts'
import { sessionsByHash } from '#src/modules/accounts/session.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { cloneUnusedDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { feedOfRoom } from './bet-store.ts'
import { leavesFrom } from './book-path.ts'
import { placeOrders } from './place-bet.ts'
import { hitsOf, moneyInRooms } from './player-rounds-store.ts'
import { refundRound, settleRound } from './round-bets.ts'

/** Rows that a statement may read without an index: those of a table that is still small. */
const ROWS_MAX = 1_000

/** A table with so few rows holds settings: it does not grow, however often it is read. */
const SETTINGS_ROWS = 4

/** Rows that a batch may read by one use of an index: a room has 36 odds. */
const ROWS_BY_INDEX_MAX = 100

/** How often a connection plans a statement for its values before it keeps a generic plan. */
const TIMES = 7

const PLAYERS = 300
const PAST_ISSUE = '20261119001'
const BETS = 20_000

let database: TestDatabase
let players: number[]
let past: TestRound
let running: TestRound

beforeAll(async () => {
  database = await cloneUnusedDatabase()
  // However slow the machine is, the rounds take bets.
  await database.freezeClock(Date.now())
  players = await addPlayers(database)
  past = await openTestRound(database)
  await placeAll(
    database,
    players.map((player) => orderFor(player, past)),
  )
  await drawTestRound(database, past, [9, 9, 9])
  await settleRound(database.db, past, '2026-11-20')
  running = await openTestRound(database)
  await addHistory(database, players, past.issue)
  return () => database.drop()
})

async function addPlayers(to: TestDatabase): Promise<number[]> {
  const added: number[] = []
  while (added.length < PLAYERS) added.push(await addPlayer(to, { u: 100_000 }))
  return added
}

/** Adds settled bets of all these players to a past round, with their postings and keys. */
async function addHistory({ owner }: TestDatabase, people: number[], issue: string): Promise<void> {
  await owner.transaction(async (tx) => {
    await tx.query(`set local session_replication_role = replica`)
    await tx.query(
      `insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
         rules_version, stake, total, cash_after, posting_id, accepted_at, nonce, could_pay, status, settled_at,
         client_key)
       select ($1::integer[])[1 + n % $2], nextval('bets.bet_id'), '2026-11-20', 'past' || n, 1, $3, 11, '{1}',
         '{1920}', 1, 100000000, 100000000, 0, 0, app.now(), decode(repeat('00', 16), 'hex'), 0, 'lost', app.now(),
         'past' || n
       from generate_series(1, $4::integer) n`,
      [people, people.length, issue, BETS],
    )
    await tx.query(
      `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount,
         cash_after, held_after, reference)
       select player_id, nextval('ledger.posting_id'), booked_on, accepted_at, 'stake', 'cash', 'house:game',
         total, 0, 0, 'past:' || id
       from bets.bet where order_no like 'past%'`,
    )
    await tx.query(
      `insert into wallet.idempotency_key (player_id, key, route, input_hash)
       select player_id, order_no, 'playOrder', '\\x00' from bets.bet where order_no like 'past%'`,
    )
  })
}

type Counts = { name: string; scans: number; rows: number; uses: number; fetches: number }

/** What the transaction's connection read of each table: scans of it as a whole and their rows, uses of indexes and theirs. */
function countsOf(tx: Transaction): Promise<Counts[]> {
  return tx.query<Counts>(
    `select relid::regclass::text as name, seq_scan::float8 as scans, seq_tup_read::float8 as rows,
       idx_scan::float8 as uses, idx_tup_fetch::float8 as fetches
     from pg_stat_xact_user_tables`,
  )
}

/**
 * Sends a statement often enough that its plan is kept, and returns the tables of which it read many rows without an
 * index, or more rows than are named by one use of an index.
 */
async function readWhole(
  work: (tx: Transaction) => Promise<unknown>,
  { db = database.db, rowsByIndex = Number.MAX_SAFE_INTEGER } = {},
): Promise<string[]> {
  return db.transaction(async (tx) => {
    // Before the work too: a connection's counts also contain what it did a moment ago.
    const before = new Map((await countsOf(tx)).map((table) => [table.name, table]))
    for (let times = 0; times < TIMES; times += 1) await work(tx)
    const after = await countsOf(tx)
    return after
      .filter((table) => {
        const since = (count: Exclude<keyof Counts, 'name'>) =>
          table[count] - (before.get(table.name)?.[count] ?? 0)
        const many = TIMES * ROWS_MAX
        return (
          since('rows') > Math.max(many, since('scans') * SETTINGS_ROWS) ||
          since('fetches') > Math.max(many, since('uses') * rowsByIndex)
        )
      })
      .map(({ name }) => name)
  })
}

/** A batch with an order of each of fifty players. */
const batchOf = (people: number[], round: TestRound) =>
  people.slice(0, 50).map((player, ord) => ({
    ...orderFor(player, round, { key: randomBytes(8).toString('hex') }),
    ord,
  }))

it('a batch of orders reads no growing table as a whole by plans that were kept from when it was small', async () => {
  const young = await cloneUnusedDatabase()
  onTestFinished(() => young.drop())
  await young.freezeClock(Date.now())
  const people = await addPlayers(young)
  const round = await openTestRound(young)
  await young.owner.query('analyze')
  const db = openDatabase(young.applicationUrl, {
    connectionsMax: 1,
    limits: PATIENT_TO_CONNECT,
  })
  onTestFinished(() => db.close())
  const place = async (tx: Transaction) => {
    const placed = await placeOrders(tx, batchOf(people, round))
    expect(placed.map(({ reason }) => reason)).toEqual(placed.map(() => null))
  }
  await db.transaction(place)
  await addHistory(young, people, PAST_ISSUE)
  expect(await readWhole(place, { db, rowsByIndex: ROWS_BY_INDEX_MAX })).toEqual([])
})

it.each([
  ['drawn', (db: Queryable, round: TestRound) => settleRound(db, round, '2026-11-20')],
  ['voided', refundRound],
] as const)(
  'the bets of a %s round are resolved by their keys, by plans that were kept from when there were few',
  async (state, resolve) => {
    const young = await cloneUnusedDatabase()
    onTestFinished(() => young.drop())
    await young.freezeClock(Date.now())
    const people = await addPlayers(young)
    const rounds: TestRound[] = []
    for (let times = 0; times < 1 + TIMES; times += 1) {
      const round = await openTestRound(young)
      const placed = await placeAll(young, batchOf(people, round))
      expect(placed).toEqual(placed.map(() => null))
      if (state === 'drawn') await drawTestRound(young, round, [9, 9, 9])
      else {
        await young.freezeClock(round.drawsAt)
        await young.db.query(`select rounds.void(1::smallint, $1, 'sealed_late')`, [round.issue])
      }
      rounds.push(round)
    }
    await young.owner.query('analyze')
    const db = openDatabase(young.applicationUrl, {
      connectionsMax: 1,
      limits: PATIENT_TO_CONNECT,
    })
    onTestFinished(() => db.close())
    const next = async (tx: Queryable) => {
      expect(await resolve(tx, rounds.shift() as TestRound)).toBe(50)
    }
    await next(db)
    await addHistory(young, people, PAST_ISSUE)
    expect(await readWhole(next, { db, rowsByIndex: ROWS_BY_INDEX_MAX })).toEqual([])
  },
)

it.each(['before', 'after'])(
  'a batch of orders reads no growing table as a whole, %s statistics are made',
  async (when) => {
    if (when === 'after') await database.owner.query('analyze')
    const read = await readWhole(async (tx) => {
      const placed = await placeOrders(tx, batchOf(players, running))
      expect(placed.map(({ reason }) => reason)).toEqual(placed.map(() => null))
    })
    expect(read).toEqual([])
  },
)

it.each<[string, (tx: Transaction) => Promise<unknown>]>([
  [
    'money in rooms',
    (tx) =>
      moneyInRooms(
        tx,
        players
          .slice(0, 20)
          .map((playerId) => ({ playerId, gameId: 1, roomId: 11, issue: running.issue })),
      ),
  ],
  [
    'wins of the last rounds',
    (tx) =>
      hitsOf(
        tx,
        players.slice(0, 20).map((playerId) => ({ playerId, gameId: 1, issue: past.issue })),
      ),
  ],
  ['the news of a feed', (tx) => feedOfRoom(tx, { roomId: 11, after: BETS, limit: 300 })],
  ['the sessions of some tokens', (tx) => sessionsByHash(tx, ['00'.repeat(32), '11'.repeat(32)])],
  ['the use of a key', (tx) => useOfKey(tx, { playerId: players[0] as number, key: 'past7' })],
])('%s: no growing table is read as a whole', async (_name, work) => {
  await database.owner.query('analyze')
  expect(await readWhole(work)).toEqual([])
})

/** The months of bets in which a piece of work looks, by any index or as a whole. */
async function partsRead(work: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
  return database.owner.transaction(async (tx) => {
    // Before the work too: a connection's counts also contain what it did a moment ago.
    const scans = async () => {
      const rows = await tx.query<{ name: string; scans: number }>(
        `select relname::text as name, (seq_scan + idx_scan)::integer as scans from pg_stat_xact_user_tables
         where schemaname = 'bets' and relname ~ '^bet_([0-9]{4}|default)$'`,
      )
      return new Map(rows.map((row) => [row.name, row.scans]))
    }
    const before = await scans()
    await work(tx)
    const after = await scans()
    return [...after.keys()].filter((name) => after.get(name) !== before.get(name))
  })
}

it.each<[string, () => TestRound, (tx: Transaction) => Promise<unknown>]>([
  [
    'an order that follows a bet',
    () => running,
    async (tx) => {
      const [ann = 0, bob = 0] = players
      const [followed] = await placeOrders(tx, [{ ...orderFor(ann, running), ord: 0 }])
      const follow_id = Number(followed?.betId)
      const [placed] = await placeOrders(tx, [{ ...orderFor(bob, running), follow_id, ord: 0 }])
      expect(placed?.reason).toBeNull()
    },
  ],
  [
    'counting the bets of a round',
    () => past,
    async (tx) => {
      await tx.query('select console_start.count_rounds(10)')
      const counted = await tx.query(
        'select from console_start.round_figure where issue = $1 and bets > 0',
        [past.issue],
      )
      expect(counted).not.toEqual([])
    },
  ],
  [
    'the proof of a bet in its round',
    () => past,
    async (tx) => {
      expect(await leavesFrom(tx, past, { firstId: 1n, max: 256 })).toHaveLength(256)
    },
  ],
  [
    'reading who won',
    () => past,
    async (tx) => {
      const won = await hitsOf(
        tx,
        players.map((playerId) => ({ playerId, gameId: 1, issue: past.issue })),
      )
      expect(won).not.toEqual([])
    },
  ],
])('%s looks only in the year of its round', async (_name, round, work) => {
  const { owner } = database
  const years = await owner.query<{ part: string }>(
    `select 'bet_' || case when game_day < '2026-01-01' then 'default' else to_char(game_day, 'YYYY') end as part
     from rounds.round where game_id = $1 and issue = $2`,
    [round().gameId, round().issue],
  )
  expect(await partsRead(work)).toEqual(years.map(({ part }) => part))
})
