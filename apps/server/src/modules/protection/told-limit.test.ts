/** Which limit a refused order is told of, if it would pass several. */
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import { placeOrders } from '#src/modules/bets/bet-store.ts'
import { addPlayer, openTestRound, orderFor } from '#testing/fixtures.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { setLimit } from './protection-store.ts'

const U = MICRO
const DAY_MS = 86_400_000
/** Noon of 20 November 2026, a Friday, in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

it('of several limits that an order would pass the one with the least left is told', async () => {
  const database = await createTestDatabase()
  const { db } = database
  await database.freezeClock(NOON)
  const playerId = await addPlayer(database)
  const order = async (u: number) => {
    const round = await openTestRound(database)
    const [placed] = await placeOrders(db, [{ ...orderFor(playerId, round, { u }), ord: 0 }])
    return placed
  }
  await setLimit(db, { playerId, kind: 'stake', period: 'day', amount: 100n * U })
  await setLimit(db, { playerId, kind: 'stake', period: 'week', amount: 150n * U })
  expect(await order(100)).toMatchObject({ reason: null })
  // A new day has begun, but no new week.
  await database.freezeClock(NOON + DAY_MS)
  expect(await order(120)).toMatchObject({
    reason: 'limit_reached',
    facts: {
      ...{ limit: 'stake', period: 'week' },
      ...{ amount: String(150n * U), left: String(50n * U) },
    },
  })
})
