import { describe, expect, it } from 'vitest'
import { addPlayer, openTestRound } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { betOrder } from '#testing/requests/bet-order.ts'
import { betPlacer, type Order } from './place-bet.ts'

describe('an order with unknown ids', () => {
  it('is refused by itself, and affects no order of the same moment', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const players = await Promise.all([1, 2, 3, 4].map(() => addPlayer(database)))
    const { db } = database
    const placeBet = betPlacer({ db, onAccepted: () => {} })
    const order = (index: number, change: Partial<Order> = {}) =>
      betOrder(players[index] ?? 0, round, change)
    const replies = await Promise.all([
      placeBet(order(0)),
      placeBet(order(1, { ruleIds: [1, 2_147_483_647] })),
      placeBet(order(2, { gameId: 2_147_483_647 })),
      placeBet(order(3, { roomId: 2_147_483_647, issue: '99999999999999' })),
    ])
    expect(replies).toMatchObject([
      { bet: { playerId: players[0] }, replayed: false },
      { refused: 'rule_unknown' },
      { refused: 'not_found' },
      { refused: 'not_found' },
    ])
  })
})
