import { expect, it, vi } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { settlementPace, settleRound } from './round-bets.ts'

const BETS = 5
const PART = 2

async function house() {
  const database = await createTestDatabase()
  const players: number[] = []
  for (let n = 0; n < BETS; n += 1) players.push(await addPlayer(database))
  const round = await openTestRound(database)
  const orders = () => players.map((player) => orderFor(player, round))
  return { database, round, bet: () => placeAccepted(database, orders()) }
}

it('rests as long as the orders need that were placed since the part before, and at most twice as long as that part', async () => {
  const { database, bet } = await house()
  const waits: number[] = []
  const wait = async (ms: number) => waits.push(ms)
  const pace = settlementPace(database.db, new AbortController().signal, { wait })
  await bet()
  await pace.rest(1_000)
  await bet()
  await pace.rest(1_000)
  await pace.rest(1_000)
  await bet()
  await pace.rest(0.25)
  expect(waits).toEqual([0, 1, 0, 0.5])
})

it('a settlement that is stopped ends after its part, and continues later', async () => {
  const { database, round, bet } = await house()
  await bet()
  await drawTestRound(database, round, [9, 9, 9])
  const stopping = new AbortController()
  const wait = async () => stopping.abort()
  const pace = settlementPace(database.db, stopping.signal, { part: PART, wait })
  await expect(settleRound(database.db, round, '2026-11-20', pace)).rejects.toThrow('aborted')
  const resolved = `select from bets.bet where status <> 'accepted'`
  expect(await database.owner.query(resolved)).toHaveLength(2 * PART)
  expect(await settleRound(database.db, round, '2026-11-20')).toBe(BETS - 2 * PART)
})

it('a settlement says after each part how long it took', async () => {
  const { database, round, bet } = await house()
  await bet()
  await drawTestRound(database, round, [9, 9, 9])
  holdTime('performance')
  let parts = 0
  /** Each part takes ten milliseconds longer than the one before. */
  const slower: Queryable = {
    ...database.db,
    query(text, values) {
      parts += 1
      vi.advanceTimersByTime(10 * parts)
      return database.db.query(text, values)
    },
  }
  const took: number[] = []
  const rest = async (tookMs: number) => void took.push(tookMs)
  expect(await settleRound(slower, round, '2026-11-20', { part: PART, rest })).toBe(BETS)
  expect(took).toEqual([10, 20])
})
