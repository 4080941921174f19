/** The balance that a room requires: cash and open stakes in running rounds. */
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { serveForTest, testLog } from '#testing/product/served-routes.ts'
import { betPlacer, placeOrders } from './place-bet.ts'
import { settleRound } from './round-bets.ts'
import { betRoutes } from './routes.ts'

/** The expert room: at least 1,000 u an order, and a balance of 20,000 u. */
const EXPERT = { room: 4, u: 1_000 } as const

describe('a bet in a room that needs 20,000 u', () => {
  it('refuses a player who has less, and accepts the bet of one who has exactly that', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const poor = await addPlayer(database, { u: 19_999 })
    const able = await addPlayer(database, { u: 20_000 })
    const placed = await placeOrders(database.db, [
      { ...orderFor(poor, round, EXPERT), ord: 0 },
      { ...orderFor(able, round, EXPERT), ord: 1 },
    ])
    expect(placed).toMatchObject([
      { reason: 'below_entry', facts: { minimum: '20000000000' } },
      { reason: null },
    ])
    await expectAlwaysTrue(database.owner)
  })

  it('is accepted if open stakes, in any game and room, make up for it', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 3 })
    const player = await addPlayer(database, { u: 20_000 })
    // All of it is at stake but 1,000.
    expect(await placeAll(database, [orderFor(player, other, { u: 18_000 })])).toEqual([null])
    expect(await placeAll(database, [orderFor(player, round, EXPERT)])).toEqual([null])
    expect(await placeAll(database, [orderFor(player, round, EXPERT)])).toEqual([null])
    // Now the balance is too low, and that is the reason.
    expect(await placeAll(database, [orderFor(player, round, EXPERT)])).toEqual([
      'insufficient_balance',
    ])
    await expectAlwaysTrue(database.owner)
  })

  it('is refused after the stakes are lost, however much cash is left', async () => {
    const database = await createTestDatabase()
    const lost = await openTestRound(database)
    const player = await addPlayer(database, { u: 20_000 })
    expect(await placeAll(database, [orderFor(player, lost, { ruleIds: [2], u: 1_000 })])).toEqual([
      null,
    ])
    await drawTestRound(database, lost, [9, 9, 9])
    const next = await openTestRound(database)
    // Drawn, and not settled yet: the stake is still open.
    expect(await placeAll(database, [orderFor(player, next, EXPERT)])).toEqual([null])
    await settleRound(database.db, lost, '2026-11-20')
    expect(await placeAll(database, [orderFor(player, next, EXPERT)])).toEqual(['below_entry'])
    await expectAlwaysTrue(database.owner)
  })

  it('does not count other players’ stakes', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const rich = await addPlayer(database, { u: 50_000 })
    const poor = await addPlayer(database, { u: 2_000 })
    expect(await placeAll(database, [orderFor(rich, round, { ...EXPERT, u: 30_000 })])).toEqual([
      null,
    ])
    expect(await placeAll(database, [orderFor(poor, round, EXPERT)])).toEqual(['below_entry'])
  })

  it('is refused in the same way if it follows another, and to a robot', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const rich = await addPlayer(database, { u: 50_000 })
    const poor = await addPlayer(database, { u: 2_000 })
    const robot = await addPlayer(database, { u: 2_000, robot: true })
    const [followed] = await placeOrders(database.db, [
      { ...orderFor(rich, round, EXPERT), ord: 0 },
    ])
    const follow = { ...orderFor(poor, round, EXPERT), follow_id: Number(followed?.betId) }
    expect(await placeAll(database, [follow, orderFor(robot, round, EXPERT)])).toEqual([
      'below_entry',
      'below_entry',
    ])
  })
})

describe('over HTTP', () => {
  it('the refusal names the balance that is needed, in data and in words', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 2_000 })
    const { db } = database
    const api = await serveForTest(
      betRoutes({
        ...testLog(db),
        db,
        placeBet: betPlacer({ db, onAccepted: () => {} }),
        timeZone: 'Asia/Singapore',
        now: Date.now,
      }),
    )
    const reply = await api.call(playOrder, expertOrder(round), player)
    expect(reply).toMatchObject({
      http: 200,
      code: 0,
      msg: 'Bets in this room need assets of 20000.00 u, with what you have at stake',
      data: { reason: 'below_entry', minimum: '20000.00' },
    })
  })
})

function expertOrder({ gameId, issue }: TestRound) {
  return { issue, game_id: gameId, plan_id: gameId * 10 + 4, play_type: '[1]', money: '1000.00' }
}
