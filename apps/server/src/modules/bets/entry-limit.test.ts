/** The balance that a room requires: cash and open stakes in running rounds; and which other sums an order is judged by. */
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
  placeAll,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { serveForTest, testLog } from '#testing/product/served-routes.ts'
import { betPlacer, placeOrders } from './place-bet.ts'
import { settleSome } from './round-bets.ts'
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
    const database = await createTestDatabase()
    const { db, owner } = database
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
    const database = await createTestDatabase()
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

it.each([
  {
    what: 'the balance that is needed',
    before: [],
    order: { plan_id: 14, play_type: '[1]', money: '1000.00' },
    msg: 'Bets in this room need assets of 20,000.00 u, with what you have at stake',
    data: { reason: 'below_entry', minimum: '20000.00' },
  },
  {
    what: 'the greatest payout and the rest of it',
    before: [{ ruleIds: [400], u: 1_000 }],
    order: { plan_id: 11, play_type: '[400]', money: '100' },
    msg: 'Your bets of one round may pay at most 1,000,000.00 u; for this choice 40,000.00 u of it are left',
    data: { reason: 'above_maximum', payout_maximum: '1000000.00', payout_left: '40000.00' },
  },
])('over HTTP a refusal names $what', async ({ before, order, msg, data }) => {
  const database = await createTestDatabase()
  const { db } = database
  const { gameId, issue, ...times } = await openTestRound(database)
  const player = await addPlayer(database, { u: 3_000 })
  const bets = before.map((choice) => orderFor(player, { gameId, issue, ...times }, choice))
  await placeAccepted(database, bets)
  const placeBet = betPlacer({ db, onAccepted: () => {} })
  const api = await serveForTest(
    betRoutes({ ...testLog(db), db, placeBet, timeZone: 'Asia/Singapore', now: Date.now }),
  )
  const reply = await api.call(playOrder, { issue, game_id: gameId, ...order }, player)
  expect(reply).toMatchObject({ http: 200, code: 0, msg, data })
})

/** A running round whose first room takes 100 to 200 u from everybody, and whose second asks for 1,000 u. */
async function twoRooms() {
  const database = await createTestDatabase()
  const { owner } = database
  await owner.query('update games.room set stake_max = $1, entry_min = 0 where id = 11', [
    200_000_000n,
  ])
  await owner.query('update games.room set stake_min = $1, entry_min = $2 where id = 12', [
    100_000_000n,
    1_000_000_000n,
  ])
  return { database, owner, round: await openTestRound(database) }
}

describe('an order on two outcomes', () => {
  it('counts with both stakes against the least, the most, and the balance', async () => {
    const { database, owner, round } = await twoRooms()
    const player = await addPlayer(database, { u: 399 })
    const place = (u: number) =>
      placeAll(database, [orderFor(player, round, { ruleIds: [1, 3], u })])
    expect(await place(49.99)).toEqual(['below_minimum'])
    expect(await place(100.01)).toEqual(['above_maximum'])
    expect(await place(100)).toEqual([null])
    // 199 u are left.
    expect(await place(100)).toEqual(['insufficient_balance'])
    expect(await place(99.5)).toEqual([null])
    await expectAlwaysTrue(owner)
  })

  it('counts with both stakes for the balance that a room asks for', async () => {
    const { database, round } = await twoRooms()
    const player = await addPlayer(database)
    const order = orderFor(player, round, { ruleIds: [1, 3] })
    await placeAccepted(database, [order])
    await placeAccepted(database, [orderFor(player, round, { room: 2 })])
  })
})

it('what is set aside for a withdrawal counts neither as balance for a room nor as money to bet with', async () => {
  const { database, owner, round } = await twoRooms()
  const player = await addPlayer(database, { u: 2_150 })
  await owner.query(
    `select wallet.move('withdrawal', array[row($1, '2026-11-20', $2, 'test')::wallet.movement])`,
    [player, 2_000_000_000n],
  )
  expect(await placeAll(database, [orderFor(player, round, { room: 2 })])).toEqual(['below_entry'])
  expect(await placeAll(database, [orderFor(player, round, { u: 150.01 })])).toEqual([
    'insufficient_balance',
  ])
  await placeAccepted(database, [orderFor(player, round, { u: 150 })])
})

it('the balance that a room asks for counts an open stake once, however many rounds of its game are not settled', async () => {
  const { database, round } = await twoRooms()
  const player = await addPlayer(database, { u: 999 })
  await placeAccepted(database, [orderFor(player, round, { u: 200 })])
  const next = await openTestRound(database, { secondsLeft: 120 })
  expect(await placeAll(database, [orderFor(player, next, { room: 2 })])).toEqual(['below_entry'])
})
