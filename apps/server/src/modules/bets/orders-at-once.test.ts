/** Orders of one moment: which of them share a batch, and what each of them is answered. */
import { describe, expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { betOrder } from '#testing/product/play-round.ts'
import type { Bet } from './bet-store.ts'
import { betPlacer, type Order } from './place-bet.ts'

/** Two players, an open round, how their orders are placed, and the accepted bets by batch. */
async function house() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database, { secondsLeft: 600 })
  const [ann, ben] = [await addPlayer(database), await addPlayer(database)]
  const batches: (readonly Bet[])[] = []
  let sentAfresh = 0
  const counted: Database = {
    ...db,
    queryAfresh(text, values) {
      sentAfresh += 1
      return db.queryAfresh(text, values)
    },
  }
  const place = betPlacer({
    db: counted,
    onAccepted: (bets) => batches.push(bets),
  })
  const placeBet = (player: number, change?: Partial<Order>) =>
    place(betOrder(player, round, change))
  return { owner, ann, ben, batches, placeBet, sentAfresh: () => sentAfresh }
}

describe('orders of the same moment', () => {
  it('of two players are one batch, and a second one of a player is in the next', async () => {
    const { owner, ann, ben, batches, placeBet } = await house()
    const placed = await Promise.all([
      placeBet(ann),
      placeBet(ben, { ruleIds: [2], stake: 200_000_000n }),
      placeBet(ann, { ruleIds: [3] }),
    ])
    const bets = placed.map((answer) => 'bet' in answer && answer.bet)
    expect(bets).toMatchObject([
      { playerId: ann, ruleIds: [1], total: 100_000_000n, cashAfter: 900_000_000n },
      { playerId: ben, ruleIds: [2], total: 200_000_000n, cashAfter: 800_000_000n },
      { playerId: ann, ruleIds: [3], total: 100_000_000n, cashAfter: 800_000_000n },
    ])
    expect(batches).toEqual([[bets[0], bets[1]], [bets[2]]])
    await expectAlwaysTrue(owner)
  })

  it('fail all with an order that the database cannot read, once, and the next ones do not', async () => {
    const { owner, ann, ben, batches, placeBet, sentAfresh } = await house()
    const unreadable = placeBet(ann, { issue: 'no number' })
    const settled = await Promise.allSettled([unreadable, placeBet(ben)])
    const error = expect.objectContaining({ code: '22P02' })
    expect(settled).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ])
    // Only an order without an answer is sent again: the database has answered.
    expect(sentAfresh()).toBe(0)
    expect(batches).toEqual([])
    expect(await placeBet(ben)).toMatchObject({ bet: { playerId: ben }, replayed: false })
    await expectAlwaysTrue(owner)
  })
})
