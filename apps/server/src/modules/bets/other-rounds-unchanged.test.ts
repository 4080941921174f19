/**
 * Goal: an action on one round affects no other. Method: a round between two others of its game, of which the first
 * is of the day before, and one of another game with the same number, each with a bet of the same player; after each
 * step the others are unchanged.
 */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { messagesOf } from '#src/modules/inbox/notify.ts'
import { publishSeed, storeDraw, storeValue, voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayers,
  betOfEach,
  cashOf,
  openTestRound,
  someDraw,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { extendBook, type Pace, sealRound, settleRound, settleSome } from './round-bets.ts'

const U = 1_000_000n
const TODAY = '2026-11-20'

/** How the round at each position is opened, after those before it. */
const openedAs = (rounds: TestRound[]) => ({
  before: { gameDay: '2026-11-19' },
  target: {},
  after: {},
  namesake: { gameId: 2, issue: rounds[1]?.issue },
})

/** A part has room for the bets of one round and the first of the next. */
const PARTS: Pace = { part: 3, rest: async () => {} }

/** Two players with a bet of 100 u on long in each of four rounds, and the stored data of the other rounds. */
async function neighbours() {
  const database = await createTestDatabase()
  const { owner } = database
  const players = await addPlayers(database, 2)
  const rounds: TestRound[] = []
  const start = Date.now()
  for (const [nth, position] of (['before', 'target', 'after', 'namesake'] as const).entries()) {
    // A second between the beginnings: of two running rounds, an order is for the one that ends later.
    await database.freezeClock(start + nth * 1_000)
    const round = await openTestRound(database, openedAs(rounds)[position])
    rounds.push(round)
    await betOfEach(database, round, players)
  }
  const [before, target, after, namesake] = rounds as [TestRound, TestRound, TestRound, TestRound]
  const others = [before, after, namesake]
  const sealsAt = Math.max(...rounds.map((round) => round.sealsAt))
  const drawsAt = Math.max(...rounds.map((round) => round.drawsAt))

  /** All stored data of the other rounds, their bets and books. */
  async function ofTheOthers() {
    const rows = await owner.query(
      `select to_jsonb(round) as round,
         (select jsonb_agg(bet order by bet.id) from bets.bet where (bet.game_id, bet.issue) = (round.game_id, round.issue)) as bets,
         (select jsonb_agg(book) from bets.book where (book.game_id, book.issue) = (round.game_id, round.issue)) as books,
         (select jsonb_agg(value) from rounds.value where (value.game_id, value.issue) = (round.game_id, round.issue)) as values,
         (select jsonb_agg(draw) from rounds.draw where (draw.game_id, draw.issue) = (round.game_id, round.issue)) as draws,
         (select jsonb_agg(seed) from rounds.voided_seed seed where (seed.game_id, seed.issue) = (round.game_id, round.issue)) as seeds
       from rounds.round where (game_id, issue) <> ($1, $2) order by game_id, issue`,
      [target.gameId, target.issue],
    )
    expect(rows).toHaveLength(3)
    return rows
  }

  /** Acts on the round in question, and expects the others to be unchanged. */
  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const stood = await ofTheOthers()
    const result = await work()
    expect(await ofTheOthers()).toEqual(stood)
    return result
  }

  return {
    database,
    db: database.db,
    owner,
    players,
    alone,
    target,
    others,
    rounds,
    namesake,
    sealsAt,
    drawsAt,
    cash: () => Promise.all(players.map((player) => cashOf(database, player))),
    /** The state of the round in question. */
    async state() {
      const [row] = await owner.query<{ state: string; settled: boolean; size: number | null }>(
        `select state, settled_at is not null as settled, book_size as size
         from rounds.round where game_id = $1 and issue = $2`,
        [target.gameId, target.issue],
      )
      return row
    },
  }
}

describe('of rounds that are neighbours', () => {
  it('one is sealed with its own bets in its book, drawn with its own value, settled, and paid, bet by bet', async () => {
    const { db, database, alone, target, others, namesake, ...at } = await neighbours()
    const { sealsAt, drawsAt, state, cash } = at
    await alone(() => extendBook(db, target, 1))
    await database.freezeClock(sealsAt)
    expect(await alone(() => sealRound(db, target))).toBe(true)
    expect(await state()).toEqual({ state: 'sealed', settled: false, size: 2 })
    for (const round of others) expect(await sealRound(db, round)).toBe(true)
    await database.freezeClock(drawsAt)
    // Long loses in the others: the first of them is drawn before, the last has its value.
    const values = new Map(others.map((round) => [round, someDraw([0, 0, 0])]))
    for (const [round, value] of values) expect(await storeValue(db, round, value)).toBe(true)
    for (const [round, value] of [...values].slice(0, 2)) {
      expect(await storeDraw(db, round, value)).toBe(true)
    }
    expect(await alone(() => storeDraw(db, target, someDraw([9, 9, 9])))).toBe(true)
    expect(await state()).toMatchObject({ state: 'drawn' })
    for (const done of [1, 1, 0]) {
      expect(await alone(() => settleSome(db, target, { max: 1, onDay: TODAY }))).toBe(done)
    }
    expect(await state()).toMatchObject({ state: 'settled', settled: true })
    expect(await cash()).toEqual([792n * U, 792n * U])
    for (const [round, value] of values) {
      expect(await storeDraw(db, round, value)).toBe(round === namesake)
      expect(await settleRound(db, round, TODAY, PARTS)).toBe(2)
    }
    expect(await cash()).toEqual([792n * U, 792n * U])
    await expectAlwaysTrue(database.owner)
  })

  it('one is voided, refunded, and published', async () => {
    const { db, database, alone, target, others, players, ...at } = await neighbours()
    const { drawsAt, state, cash } = at
    await database.freezeClock(drawsAt)
    expect(await alone(() => voidRound(db, target, 'sealed_late'))).toBe(true)
    for (const done of [1, 1, 0]) {
      expect(await alone(() => settleSome(db, target, { max: 1, onDay: TODAY }))).toBe(done)
    }
    expect(await state()).toMatchObject({ state: 'voided', settled: true })
    expect(await cash()).toEqual([700n * U, 700n * U])
    for (const player of players) {
      const facts = { game: 'DOT', issue: target.issue, amount: '100.00' }
      expect(await messagesOf(db, player, { limit: 10 })).toMatchObject([
        { kind: 'round_voided', facts, read: false },
      ])
    }
    // A round of its chain that began earlier is still open: the seed is kept back.
    expect(await alone(() => publishSeed(db, target, randomBytes(32)))).toBe(false)
    for (const round of others) {
      expect(await voidRound(db, round, 'sealed_late')).toBe(true)
      expect(await settleRound(db, round, TODAY, PARTS)).toBe(2)
    }
    expect(await cash()).toEqual([1_000n * U, 1_000n * U])
    expect(await alone(() => publishSeed(db, target, randomBytes(32)))).toBe(true)
    expect(await alone(() => storeValue(db, target, someDraw()))).toBe(true)
    await expectAlwaysTrue(database.owner)
  })

  it('one is voided because it has no value, whatever values the others have', async () => {
    const { db, database, alone, target, others, rounds, sealsAt, drawsAt } = await neighbours()
    await database.freezeClock(sealsAt)
    for (const round of rounds) await sealRound(db, round)
    await database.freezeClock(drawsAt)
    for (const round of others) await storeValue(db, round, someDraw())
    await database.freezeClock(drawsAt + 600_000)
    expect(await alone(() => voidRound(db, target, 'beacon_late'))).toBe(true)
    for (const round of others) expect(await voidRound(db, round, 'beacon_late')).toBe(false)
  })
})
