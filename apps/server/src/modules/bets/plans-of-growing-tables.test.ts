/** Statements of every order and every heartbeat read by an index, however much history there is. */
import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase, type Queryable, type Transaction } from '#src/db/database.ts'
import { useOfKey } from '#src/db/key-store.ts'
import { sessionsByHash } from '#src/modules/accounts/session.ts'
import {
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { readBy } from '#testing/database/table-reads.ts'
import { cloneUnusedDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { feedOfRoom } from './bet-store.ts'
import { leavesFrom } from './book-path.ts'
import { placeOrders } from './place-bet.ts'
import { hitsOf, moneyInRooms } from './player-rounds-store.ts'
import { settleRound } from './round-bets.ts'

/** Rows that a statement may read without an index: those of a table that is still small. */
const ROWS_MAX = 1_000

/** A table with so few rows holds settings: it does not grow, however often it is read. */
const SETTINGS_ROWS = 4

/** Rows that a batch may read by one use of an index: a room has 36 odds. */
const ROWS_BY_INDEX_MAX = 100

/** How often a connection plans a statement for its values before it keeps a generic plan. */
const TIMES = 7

const PLAYERS = 300
const BETS = 20_000

/** As in a database in which none were ever made. */
const WITHOUT_STATISTICS = `delete from pg_statistic;
  update pg_class set relpages = 0, reltuples = -1
  where relkind in ('r', 'i') and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`

/** What is done again and again, and the next rounds whose bets it resolves. */
const REPEATED = {
  'a batch of orders': async (tx: Queryable) => {
    const placed = await placeOrders(tx, batchOf(running))
    expect(placed.map(({ reason }) => reason)).toEqual(placed.map(() => null))
  },
  'the settlement of a drawn round': async (tx: Queryable) => {
    expect(await settleRound(tx, drawn.shift() as TestRound, '2026-11-20')).toBe(50)
  },
  'the refund of a voided round': async (tx: Queryable) => {
    expect(await settleRound(tx, voided.shift() as TestRound, '2026-11-20')).toBe(50)
  },
}
type Repeated = keyof typeof REPEATED

let database: TestDatabase
const players: number[] = []
let past: TestRound
let running: TestRound
const drawn: TestRound[] = []
const voided: TestRound[] = []
/** Connections with the plans that were made when the tables were small. */
const early = new Map<Repeated, Database>()

beforeAll(async () => {
  database = await cloneUnusedDatabase()
  // However slow the machine is, the rounds take bets.
  await database.freezeClock(Date.now())
  players.push(...(await addPlayers(database)))
  past = await openTestRound(database)
  await placeAccepted(
    database,
    players.map((player) => orderFor(player, past)),
  )
  await drawTestRound(database, past, [9, 9, 9])
  await settleRound(database.db, past, '2026-11-20')
  for (const [rounds, end] of [
    [drawn, (round: TestRound) => drawTestRound(database, round, [9, 9, 9])],
    [voided, (round: TestRound) => voidTestRound(database, round)],
  ] as const) {
    while (rounds.length < 1 + TIMES) {
      const round = await openTestRound(database)
      await placeAccepted(database, batchOf(round))
      await end(round)
      rounds.push(round)
    }
  }
  running = await openTestRound(database)
  await database.owner.query('analyze')
  for (const [name, work] of Object.entries(REPEATED)) {
    const db = openDatabase(database.applicationUrl, {
      connectionsMax: 1,
      limits: PATIENT_TO_CONNECT,
    })
    await db.transaction(work)
    early.set(name as Repeated, db)
  }
  await addHistory(database, past)
  return async () => {
    for (const db of early.values()) await db.close()
    await database.drop()
  }
})

/** Players with money, by whose ids the rest goes. */
async function addPlayers({ owner }: TestDatabase): Promise<number[]> {
  const added = await owner.column<number>(
    `insert into accounts.player (username, email, email_key, group_id, kind)
     select 'player' || n, 'p' || n || '@example.org', 'p' || n || '@example.org', 1, 'person' from generate_series(1, $1) n returning id`,
    [PLAYERS],
  )
  await owner.query(
    `select wallet.move('deposit', array_agg(row(id, app.now()::date, 1e11, 'test:' || id)::wallet.movement))
     from accounts.player`,
  )
  return added
}

/** Adds settled bets of all the players to a round, with their postings and keys. */
async function addHistory({ owner }: TestDatabase, { issue }: TestRound): Promise<void> {
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
      [players, players.length, issue, BETS],
    )
    await tx.query(
      `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount,
         cash_after, held_after, reference)
       select player_id, nextval('ledger.posting_id'), booked_on, accepted_at, 'stake', 'cash', 'house:game',
         total, 0, 0, 'past:' || id
       from bets.bet where order_no like 'past%'`,
    )
    await tx.query(
      `insert into app.request_key (owner, key, route, input_hash)
       select 'player:' || player_id, order_no, 'playOrder', '\\x00' from bets.bet where order_no like 'past%'`,
    )
  })
}

/**
 * Sends a statement often enough that its plan is kept, and returns the tables of which it read many rows without an
 * index, or more rows than are named by one use of an index.
 */
async function readWhole(
  work: (tx: Transaction) => Promise<unknown>,
  {
    db = database.db,
    rowsByIndex = Number.MAX_SAFE_INTEGER,
  }: { db?: Database | undefined; rowsByIndex?: number } = {},
): Promise<string[]> {
  const read = await db.transaction((tx) =>
    readBy(tx, async () => {
      for (let times = 0; times < TIMES; times += 1) await work(tx)
    }),
  )
  const many = TIMES * ROWS_MAX
  return read
    .filter(
      ({ rows, scans, fetches, uses }) =>
        rows > Math.max(many, scans * SETTINGS_ROWS) ||
        fetches > Math.max(many, uses * rowsByIndex),
    )
    .map(({ name }) => name)
}

/** A batch with an order of each of fifty players. */
const batchOf = (round: TestRound) =>
  players.slice(0, 50).map((player, ord) => ({
    ...orderFor(player, round, { key: randomBytes(8).toString('hex') }),
    ord,
  }))

it.each(Object.keys(REPEATED) as Repeated[])(
  '%s reads no growing table as a whole, and by keys, by plans that were kept from when it was small',
  async (name) => {
    const db = early.get(name)
    expect(await readWhole(REPEATED[name], { db, rowsByIndex: ROWS_BY_INDEX_MAX })).toEqual([])
  },
)

it.each(['before', 'after'])(
  'a batch of orders reads no growing table as a whole, %s statistics are made',
  async (when) => {
    await database.owner.query(when === 'after' ? 'analyze' : WITHOUT_STATISTICS)
    expect(await readWhole(REPEATED['a batch of orders'])).toEqual([])
  },
)

/** What a heartbeat reads of players and rooms. */
const heartbeat: [string, (tx: Transaction, round: TestRound) => Promise<unknown>][] = [
  [
    'money in rooms',
    (tx, { issue }) =>
      moneyInRooms(
        tx,
        players.slice(0, 20).map((playerId) => ({ playerId, gameId: 1, roomId: 11, issue })),
      ),
  ],
  [
    'wins of the last rounds',
    (tx, { issue }) =>
      hitsOf(
        tx,
        players.slice(0, 20).map((playerId) => ({ playerId, gameId: 1, issue })),
      ),
  ],
  ['the news of a feed', (tx) => feedOfRoom(tx, { roomId: 11, after: BETS, limit: 300 })],
]

it.each<(typeof heartbeat)[number]>([
  ...heartbeat,
  ['the sessions of some tokens', (tx) => sessionsByHash(tx, ['00'.repeat(32), '11'.repeat(32)])],
  ['the use of a key', (tx) => useOfKey(tx, { playerId: players[0] as number, key: 'past7' })],
])('%s: no growing table is read as a whole', async (_name, work) => {
  await database.owner.query('analyze')
  expect(await readWhole((tx) => work(tx, past))).toEqual([])
})

it('a heartbeat finds by keys what came into tables that were empty when its plans were made', async () => {
  const fresh = await cloneUnusedDatabase()
  const db = openDatabase(fresh.applicationUrl, { connectionsMax: 1, limits: PATIENT_TO_CONNECT })
  try {
    await fresh.freezeClock(Date.now())
    expect(await addPlayers(fresh)).toEqual(players)
    const round = await openTestRound(fresh)
    await fresh.owner.query(WITHOUT_STATISTICS)
    const beat = async (tx: Transaction) => {
      for (const [, read] of heartbeat) await read(tx, round)
    }
    await readWhole(beat, { db })
    await addHistory(fresh, round)
    expect(await readWhole(beat, { db, rowsByIndex: ROWS_BY_INDEX_MAX })).toEqual([])
  } finally {
    await db.close()
    await fresh.drop()
  }
})

/** The years of bets in which a piece of work looks, by any index or as a whole. */
async function partsRead(work: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
  const read = await database.owner.transaction((tx) => readBy(tx, () => work(tx)))
  return read
    .filter(({ name, scans, uses }) => /^bets\.bet_(\d{4}|default)$/.test(name) && scans + uses > 0)
    .map(({ name }) => name)
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
      await tx.query('select console_start.count_rounds(100)')
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
  const years = await owner.column<string>(
    `select 'bets.bet_' || case when game_day < '2026-01-01' then 'default' else to_char(game_day, 'YYYY') end as part
     from rounds.round where game_id = $1 and issue = $2`,
    [round().gameId, round().issue],
  )
  expect(await partsRead(work)).toEqual(years)
})
