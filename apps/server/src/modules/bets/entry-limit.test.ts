/** The balance that a room requires: cash and open stakes in running rounds; and which other sums an order is judged by. */
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  drawTestRound,
  moveMoney,
  openTestRound,
  orderFor,
  placeAccepted,
  placeAll,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, eachTestDatabase } from '#testing/database/test-database.ts'
import { serveBets } from '#testing/product/served-routes.ts'
import { placeOrders } from './place-bet.ts'
import { settleSome } from './round-bets.ts'

/** The expert room: at least 1,000 u an order, and a balance of 20,000 u. */
const EXPERT = { room: 4, u: 1_000 } as const

describe('a bet in a room that needs 20,000 u', () => {
  const { database, db, owner } = eachTestDatabase()

  it('is accepted if open stakes, in any game and room, make up for it', async () => {
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 3 })
    const player = await addPlayer(database, { u: 20_000 })
    // All of it is at stake but 1,000.
    await placeAccepted(database, [orderFor(player, other, { u: 18_000 })])
    await placeAccepted(database, [orderFor(player, round, EXPERT)])
    await placeAccepted(database, [orderFor(player, round, EXPERT)])
    // Now the balance is too low, and that is the reason.
    expect(await placeAll(database, [orderFor(player, round, EXPERT)])).toEqual([
      'insufficient_balance',
    ])
    await expectAlwaysTrue(database.owner)
  })

  it('counts stakes until they are lost, bet by bet, however much cash is left', async () => {
    const [player, second] = [await addPlayer(database), await addPlayer(database)]
    const drawn = await openTestRound(database)
    // Short loses; long, which the second player chose, is settled after it.
    await placeAccepted(database, [orderFor(player, drawn, { ruleIds: [2], u: 600 })])
    await placeAccepted(database, [orderFor(second, drawn)])
    await drawTestRound(database, drawn, [9, 9, 9])
    const running = await openTestRound(database)
    await owner.query('update games.room set entry_min = 1000000000 where id = 11')
    // Drawn, and not settled yet: the stake is still open.
    await placeAccepted(database, [orderFor(player, running)])
    await settleSome(db, drawn, { max: 1, onDay: '2026-11-20' })
    // The round is not settled yet, but his bet is.
    expect(await placeAll(database, [orderFor(player, running)])).toEqual(['below_entry'])
    expect(await cashOf(database, player)).toBe(300_000_000n)
    await expectAlwaysTrue(owner)
  })

  it('does not count other players’ stakes, nor for one who follows them, and is refused to a robot too', async () => {
    const round = await openTestRound(database)
    const rich = await addPlayer(database, { u: 50_000 })
    const poor = await addPlayer(database, { u: 2_000 })
    const robot = await addPlayer(database, { u: 2_000, robot: true })
    const [followed] = await placeOrders(database.db, [
      { ...orderFor(rich, round, { ...EXPERT, u: 30_000 }), ord: 0 },
    ])
    const follow_id = Number(followed?.betId)
    expect(
      await placeAll(database, [
        { ...orderFor(poor, round, EXPERT), follow_id },
        orderFor(robot, round, EXPERT),
      ]),
    ).toEqual(['below_entry', 'below_entry'])
  })
})

it('over HTTP a refusal names the balance that is needed, or the greatest payout and the rest of it', async () => {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const player = await addPlayer(database, { u: 3_000 })
  await placeAccepted(database, [orderFor(player, round, { ruleIds: [400], u: 1_000 })])
  const api = await serveBets(database.db)
  const place = (order: { plan_id: number; play_type: string; money: string }) =>
    api.call(playOrder, { issue: round.issue, game_id: 1, ...order }, player)
  expect(await place({ plan_id: 14, play_type: '[1]', money: '1000.00' })).toMatchObject({
    http: 200,
    code: 0,
    msg: 'Bets in this room need assets of 20,000.00 u, including what you have at stake',
    data: { reason: 'below_entry', minimum: '20000.00' },
  })
  expect(await place({ plan_id: 11, play_type: '[400]', money: '100' })).toMatchObject({
    http: 200,
    code: 0,
    msg: 'Your bets of one round may pay at most 1,000,000.00 u; for this choice 40,000.00 u of it are left',
    data: { reason: 'above_maximum', payout_maximum: '1000000.00', payout_left: '40000.00' },
  })
})

it('the balance that a room asks for counts each open stake once, with all of its outcomes, and nothing that is set aside for a withdrawal', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  await owner.query('update games.room set entry_min = 0 where id = 11')
  await owner.query(
    'update games.room set stake_min = 100000000, entry_min = 1000000000 where id = 12',
  )
  const round = await openTestRound(database)
  const [able, poor] = [await addPlayer(database), await addPlayer(database, { u: 999 })]
  await placeAccepted(database, [
    orderFor(able, round, { ruleIds: [1, 3] }),
    orderFor(poor, round, { u: 200 }),
  ])
  await placeAccepted(database, [orderFor(able, round, { room: 2 })])
  // A second round of the game that is not settled counts no stake again.
  const next = await openTestRound(database, { secondsLeft: 120 })
  expect(await placeAll(database, [orderFor(poor, next, { room: 2 })])).toEqual(['below_entry'])

  const waits = await addPlayer(database, { u: 2_150 })
  const setAside = { playerId: waits, micro: 2_000_000_000n, reference: 'test' }
  await moveMoney(owner, 'withdrawal', setAside)
  expect(await placeAll(database, [orderFor(waits, next, { room: 2 })])).toEqual(['below_entry'])
  expect(await placeAll(database, [orderFor(waits, next, { u: 150.01 })])).toEqual([
    'insufficient_balance',
  ])
  await placeAccepted(database, [orderFor(waits, next, { u: 150 })])
})
