/** What the database itself refuses of rounds, books, draws, chains and the journal. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { closeBook, sealRound, storeDraw, voidRound } from './round-store.ts'

const BOOK = { root: randomBytes(32), size: 0 }
const DRAW = {
  seed: randomBytes(32),
  signature: randomBytes(48),
  randomness: randomBytes(32),
  digits: [1, 2, 3],
} as const

async function stateOf({ owner }: TestDatabase, { issue }: TestRound): Promise<unknown> {
  const [row] = await owner.query('select state, void_reason from rounds.round where issue = $1', [
    issue,
  ])
  return row
}

/** A round that was sealed in time, and whose book was closed at an instant before 0015 refused it. */
async function roundWithLateBook(database: TestDatabase, lateMs: number): Promise<TestRound> {
  const round = await openTestRound(database)
  await database.freezeClock(round.sealsAt)
  await sealRound(database.db, round)
  await database.owner.query(
    'update rounds.round set book_root = $2, book_size = 0, book_closed_at = $3 where issue = $1',
    [round.issue, BOOK.root, new Date(round.drawsAt + lateMs)],
  )
  await database.freezeClock(round.drawsAt + 60_000)
  return round
}

describe('a book', () => {
  it('is closed until the last instant before the end of its round, and not from then on', async () => {
    const database = await createTestDatabase()
    for (const [beforeEndMs, closed] of [
      [1, true],
      [0, false],
      [-5_000, false],
    ] as const) {
      const round = await openTestRound(database)
      await database.freezeClock(round.sealsAt)
      expect(await sealRound(database.db, round)).toBe(true)
      await database.freezeClock(round.drawsAt - beforeEndMs)
      expect(await closeBook(database.db, round, BOOK)).toBe(closed)
      await database.freezeClock(round.drawsAt)
      expect(await storeDraw(database.db, round, DRAW)).toBe(closed)
    }
  })

  it('is closed once, and stays what it was', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    await database.freezeClock(round.sealsAt)
    await sealRound(database.db, round)
    expect(await closeBook(database.db, round, BOOK)).toBe(true)
    expect(await closeBook(database.db, round, { root: randomBytes(32), size: 9 })).toBe(false)
    for (const change of [
      'book_size = 9',
      `book_root = sha256('x')`,
      'book_closed_at = app.now()',
    ]) {
      await database.freezeClock(round.sealsAt + 1)
      await expect(database.owner.query(`update rounds.round set ${change}`)).rejects.toThrow(
        'never changes',
      )
    }
  })

  it.each([0, 1, 3_000])('closed %i ms after the end has no draw, by no way', async (lateMs) => {
    const database = await createTestDatabase()
    const round = await roundWithLateBook(database, lateMs)
    expect(await storeDraw(database.db, round, DRAW)).toBe(false)
    await expect(
      database.owner.query(
        `insert into rounds.draw (game_id, issue, seed, beacon_signature, randomness, digit_1, digit_2, digit_3)
         values (1, $1, $2, $2, $2, 1, 2, 3)`,
        [round.issue, DRAW.seed],
      ),
    ).rejects.toThrow('no book that was closed in time')
    expect(await voidRound(database.db, round, 'sealed_late')).toBe(true)
    expect(await stateOf(database, round)).toEqual({ state: 'voided', void_reason: 'sealed_late' })
    expect(await storeDraw(database.db, round, DRAW)).toBe(false)
  })

  it('closed in time is no reason to void, nor is a round that still runs', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    expect(await voidRound(database.db, round, 'sealed_late')).toBe(false)
    await database.freezeClock(round.sealsAt)
    await sealRound(database.db, round)
    await closeBook(database.db, round, BOOK)
    await database.freezeClock(round.drawsAt + 1)
    expect(await voidRound(database.db, round, 'sealed_late')).toBe(false)
    expect(await stateOf(database, round)).toEqual({ state: 'sealed', void_reason: null })
    expect(await storeDraw(database.db, round, DRAW)).toBe(true)
    expect(await voidRound(database.db, round, 'beacon_late')).toBe(false)
  })
})

describe('a beacon that has not come', () => {
  it('is a reason to void from the announced instant on, and not a moment before', async () => {
    const database = await createTestDatabase()
    const drawsAt = Date.now() + 60_000
    const voidsAt = drawsAt + 600_000
    await openTestRound(database)
    await database.db.query(
      `select rounds.open(1::smallint, 20270115001, '2027-01-15', 1, $1, $2, $3, min(id), 'local', 'b',
         'b', 'b', $4, 3, 2, $5) from fairness.chain where game_id = 1`,
      [
        new Date(drawsAt - 60_000),
        new Date(drawsAt - 30_000),
        new Date(drawsAt),
        Math.ceil(drawsAt / 1_000) - 3,
        new Date(voidsAt),
      ],
    )
    const round = { gameId: 1, issue: '20270115001' }
    await database.freezeClock(voidsAt - 1)
    expect(await voidRound(database.db, round, 'beacon_late')).toBe(false)
    await database.freezeClock(voidsAt)
    expect(await voidRound(database.db, round, 'beacon_late')).toBe(true)
  })
})

describe('a round', () => {
  it.each([
    ['another beacon round than the first after its end', { round: 2 }],
    ['an earlier one', { genesis: -3 }],
    ['no clock of its beacon', { genesis: null }],
    ['no period', { period: null }],
  ] as const)('is not opened with %s', async (_, wrong) => {
    const database = await createTestDatabase()
    await openTestRound(database)
    const ends = 1_800_000_000
    const { genesis, period, round } = { genesis: 0, period: 3, round: 1, ...wrong }
    const open = (beacon: readonly (number | null)[]) =>
      database.db.query(
        `select rounds.open(1::smallint, 20270115001, '2027-01-15', 1, to_timestamp($1 - 210),
           to_timestamp($1 - 30), to_timestamp($1), (select id from fairness.chain), 'local', 'x', 'x',
           'x', $2, $3, $4) as opened`,
        [ends, ...beacon],
      )
    await expect(open([genesis === null ? null : ends + genesis, period, round])).rejects.toThrow(
      /beacon/,
    )
    expect(await open([ends, 3, 1])).toEqual([{ opened: true }])
  })
})

/** All that must stand for ever once it stands, and a change of each column that could be made. */
const STANDS = [
  ['draws', 'rounds.draw', 'digit_1 = (digit_1 + 1) % 10'],
  ['draws', 'rounds.draw', `seed = sha256(seed)`],
  ['draws', 'rounds.draw', `drawn_at = drawn_at - interval '1 s'`],
  ['books', 'rounds.round', `book_root = sha256(book_root)`],
  ['books', 'rounds.round', 'book_size = book_size + 1'],
  ['books', 'rounds.round', `book_closed_at = book_closed_at - interval '1 s'`],
  ['announcements', 'rounds.round', 'beacon_round = beacon_round + 1'],
  ['announcements', 'rounds.round', 'beacon_genesis = beacon_genesis - 1'],
  ['announcements', 'rounds.round', 'beacon_period = beacon_period + 1'],
  ['announcements', 'rounds.round', 'chain_index = chain_index + 1'],
  ['announcements', 'rounds.round', `draws_at = draws_at + interval '1 s'`],
  ['seeds', 'fairness.chain', 'commitment = sha256(commitment)'],
  ['seeds', 'fairness.chain', 'sealed_secret = sha256(sealed_secret)'],
  ['seeds', 'fairness.chain', `committed_at = committed_at - interval '1 day'`],
  ['the journal', 'ledger.posting', 'amount = amount + 1'],
  ['the journal', 'ledger.posting_default', 'amount = amount + 1'],
  ['bets', 'bets.bet', 'stake = stake + 10000'],
] as const

describe('what stands', () => {
  it('is not updated, deleted or truncated by the application, nor changed by the owner unnoticed', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const round = await openTestRound(database)
    await placeAll(database, [orderFor(await addPlayer(database), round)])
    await drawTestRound(database, round, [9, 9, 9])
    const refusal = (who: Database, statement: string) =>
      who.query(statement).then(
        () => 'done',
        (error: Error) => error.message,
      )
    for (const [what, table, change] of STANDS) {
      for (const statement of [
        `update ${table} set ${change}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        expect(await refusal(db, statement), `${what}, application: ${statement}`).toMatch(
          /^permission denied/,
        )
      }
      // A partition is no way round the journal's own guard.
      if (table === 'ledger.posting_default') continue
      for (const statement of [
        `update ${table} set ${change}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        expect(await refusal(owner, statement), `${what}, owner: ${statement}`).toMatch(
          /never change/,
        )
      }
    }
  })
})
