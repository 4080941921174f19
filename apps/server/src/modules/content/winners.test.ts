import { formatAmount } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { winnersReader } from './module.ts'

const DAY_MS = 86_400_000

it('the winners are people’s settled wins of 24 hours above their stakes, largest first', async () => {
  const database = await createTestDatabase()
  const player = (name: string, robot = false) => addPlayer(database, { name, robot, u: 100_000 })
  const round = await openTestRound(database)
  const orders = [
    // Wins 92 of 100, 460 of 500, and as a robot much more.
    orderFor(await player('small_winner'), round, { ruleIds: [1] }),
    orderFor(await player('big_winner'), round, { ruleIds: [1], u: 500 }),
    orderFor(await player('robot_winner', true), round, { ruleIds: [427], u: 900 }),
    // 192 are returned for 200: a payout, but no win above the stake.
    orderFor(await player('both_sides'), round, { ruleIds: [1, 2] }),
    orderFor(await player('loser'), round, { ruleIds: [2] }),
  ]
  expect(await placeAll(database, orders)).toEqual([null, null, null, null, null])
  const pending = await openTestRound(database, { gameId: 2, secondsLeft: 3_000 })
  await placeAll(database, [orderFor(await player('waits'), pending, { ruleIds: [1], u: 900 })])

  const shown = async () =>
    (await winnersReader(database.db)()).map(({ username, gameName, profit }) => [
      username,
      gameName,
      formatAmount(profit),
    ])
  expect(await shown()).toEqual([])
  await drawTestRound(database, round, [9, 9, 9])
  await settleRound(database.db, round, '2026-11-20')
  const both = [
    ['big_winner', 'DOT', '460.00'],
    ['small_winner', 'DOT', '92.00'],
  ]
  expect(await shown()).toEqual(both)
  const [settled] = await database.owner.query<{ at: number }>(
    'select settled_at as at from rounds.round where game_id = $1 and issue = $2',
    [round.gameId, round.issue],
  )
  const settledAt = settled?.at ?? 0
  await database.freezeClock(settledAt + DAY_MS - 1)
  expect(await shown()).toEqual(both)
  await database.freezeClock(settledAt + DAY_MS)
  expect(await shown()).toEqual([])
})

it('the winners are read at most once in two seconds for all callers, and again after a failure', async () => {
  const { db } = await createTestDatabase()
  let reads = 0
  let away = true
  let now = 0
  const counted: Queryable = {
    ...db,
    query: (text, values) => {
      reads += 1
      return away ? Promise.reject(new Error('away')) : db.query(text, values)
    },
  }
  const winners = winnersReader(counted, () => now)
  await expect(winners()).rejects.toThrow('away')
  away = false
  await Promise.all([winners(), winners(), winners()])
  now = 1_999
  await winners()
  expect(reads).toBe(2)
  now = 2_000
  await winners()
  expect(reads).toBe(3)
})
