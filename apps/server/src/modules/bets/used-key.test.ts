/** An order whose key was used before, and what may have become of the key meanwhile. */

import type { Envelope } from '@sum28/contract/envelope.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import type { RequestOf } from '@sum28/contract/route.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, orderFor } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { betOrder } from '#testing/product/play-round.ts'
import { serveBets } from '#testing/product/served-routes.ts'
import type { Bet } from './bet-store.ts'
import { betPlacer, type OrderRow, placeOrders } from './place-bet.ts'

const U = 1_000_000n
const CONFLICT = { refused: 'idempotency_conflict' }

/** A placed order of Ann's with a key, and how orders are placed. */
async function placedOnce() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database, { secondsLeft: 600 })
  const ann = await addPlayer(database)
  const accepted: Bet[] = []
  const onAccepted = (bets: readonly Bet[]) => void accepted.push(...bets)
  const placeBet = betPlacer({ db, onAccepted })
  const order = betOrder(ann, round, { idempotencyKey: 'a-key' })
  const first = await placeBet(order)
  if (!('bet' in first)) throw new Error(`the order was refused: ${first.refused}`)
  return { database, owner, order, first, accepted, placeBet }
}

describe('an order whose key was used', () => {
  it('gets its bet again whatever has become of round, odds and limits, and nobody is told of the bet again', async () => {
    const { database, owner, order, first, accepted, placeBet } = await placedOnce()
    expect(first.replayed).toBe(false)
    expect(await placeBet(order)).toEqual({ bet: first.bet, replayed: true })
    await owner.query('update games.house set stopped = true')
    await owner.query('update games.room set stopped = true, rules_version = rules_version + 1')
    await owner.query(`update accounts.player set state = 'frozen' where id = $1`, [order.playerId])
    expect(await placeBet(order)).toEqual({ bet: first.bet, replayed: true })
    await database.shiftClock(86_400_000)
    expect(await placeBet(order)).toEqual({ bet: first.bet, replayed: true })
    expect(await placeBet({ ...order, stake: 2n * order.stake })).toMatchObject(CONFLICT)
    expect(accepted).toEqual([first.bet])
    expect(await cashOf(database, order.playerId)).toBe(900n * U)
    await expectAlwaysTrue(owner)
  })

  it('is found in the year of its game day, from the one before and from the next', async () => {
    const { database, order, first, placeBet } = await placedOnce()
    const { db } = database
    /** Places an order in a round of the first game day of the next year. */
    const placedAt = async (at: string, idempotencyKey: string) => {
      await database.freezeClock(Date.parse(at))
      const round = await openTestRound(database, { secondsLeft: 600, gameDay: '2027-01-01' })
      const next = { ...order, issue: round.issue, idempotencyKey }
      const placed = await placeBet(next)
      expect(placed).toMatchObject({ replayed: false })
      return { next, again: { ...placed, replayed: true } }
    }
    // The game day belongs to the next year already.
    const early = await placedAt('2026-12-31T20:00:00Z', 'early key')
    expect(await placeBet(early.next)).toEqual(early.again)
    const newYear = await placedAt('2027-01-01T04:00:00Z', 'new key')
    await database.freezeClock(Date.parse('2027-01-03T00:00:00Z'))
    expect(await placeBet(order)).toEqual({ bet: first.bet, replayed: true })
    expect(await placeBet({ ...order, issue: newYear.next.issue })).toMatchObject(CONFLICT)
    // From the days after the ninth last year is looked in for orders of its rounds alone.
    await database.freezeClock(Date.parse('2027-01-12T04:00:00Z'))
    expect(await placeBet(newYear.next)).toEqual(newYear.again)
    await database.freezeClock(Date.parse('2029-06-01T04:00:00Z'))
    expect(await placeBet(order)).toEqual({ bet: first.bet, replayed: true })
    expect(await placeBet({ ...order, stake: 2n * order.stake })).toMatchObject(CONFLICT)
    const garbled = { ...order, idempotencyKey: 'no key of a bet' }
    for (const issue of ['1', '9223372036854775807'])
      expect(await placeBet({ ...garbled, issue })).toMatchObject({ refused: 'round_closed' })
    expect(await db.query('select from bets.bet')).toHaveLength(3)
  })

  it('at the same moment in two processes makes one bet, and both are told of it', async () => {
    const { database, owner, order } = await placedOnce()
    const both = { ...order, idempotencyKey: 'another' }
    const answers = await Promise.all(
      [both, both, { ...both, stake: 2n * order.stake }].map((each) =>
        betPlacer({ db: database.db, onAccepted: () => {} })(each),
      ),
    )
    const told = answers.map((answer) => ('bet' in answer ? answer.bet.id : answer.refused))
    const made = await owner.query<{ id: bigint; total: bigint }>(
      `select id, total from bets.bet where client_key = 'another'`,
    )
    expect(made).toHaveLength(1)
    const ofBoth = made[0]?.total === order.stake
    const expected = ofBoth
      ? [made[0]?.id, made[0]?.id, 'idempotency_conflict']
      : ['idempotency_conflict', 'idempotency_conflict', made[0]?.id]
    expect(told).toEqual(expected)
    await expectAlwaysTrue(owner)
  })
})

it('each bet has the key of its own order, a refusal has none, and an order without a key is known by its nonce', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database)
  const [ann, ben] = [await addPlayer(database), await addPlayer(database)]
  const place = async (order: Omit<OrderRow, 'ord'>) =>
    (await placeOrders(db, [{ ...order, ord: 0 }]))[0]
  const placed = [
    await place(orderFor(ann, round, { key: 'one' })),
    await place(orderFor(ben, round, { key: 'one' })),
    await place(orderFor(ann, round, { key: 'one' })),
    // The order is judged again, and so is any other.
    await place(orderFor(ann, round, { key: 'two', u: 99.99 })),
    await place(orderFor(ann, round, { key: 'two', u: 99.99 })),
    await place(orderFor(ann, round, { key: 'two' })),
    await place({ ...orderFor(ann, round), nonce: 'ab'.repeat(16) }),
  ]
  const refused = 'below_minimum'
  expect(placed.map((row) => row?.reason)).toEqual([
    ...[null, null, 'replay', refused, refused, null, null],
  ])
  const [first, bens, again, , , other, without] = placed
  const { betId, orderNo, cashAfter, acceptedAt } = first ?? {}
  expect(again).toMatchObject({ betId, orderNo, cashAfter, acceptedAt })
  expect(
    await owner.query(
      'select player_id as player, id, client_key as key from bets.bet order by id',
    ),
  ).toEqual([
    { player: ann, id: betId, key: 'one' },
    { player: ben, id: bens?.betId, key: 'one' },
    { player: ann, id: other?.betId, key: 'two' },
    { player: ann, id: without?.betId, key: `order ${'ab'.repeat(16)}` },
  ])
  expect(await owner.query('select from app.request_key')).toEqual([])
  await expectAlwaysTrue(owner)
})

type Request = RequestOf<typeof playOrder>

/** For each field of an order another valid value. */
const OTHERS: { [Field in keyof Required<Request>]: Request[Field] } = {
  issue: '20261120999',
  plan_id: 12,
  game_id: 2,
  play_type: '[2]',
  money: '100.01',
  follow_id: undefined,
  rules_version: 2,
}

it('a key that was used for an order is a conflict for an order with any other field', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database)
  const [player, followed] = [await addPlayer(database), await addPlayer(database)]
  const [entry] = await placeOrders(db, [{ ...orderFor(followed, round), ord: 0 }])
  const api = await serveBets(db)
  const order: Request = {
    issue: round.issue,
    plan_id: 11,
    game_id: 1,
    play_type: '[1]',
    money: '100',
    follow_id: Number(entry?.betId),
  }
  const headers = {
    Token: String(player),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'a-key',
  }
  const send = async (request: Request) => {
    const body = JSON.stringify(request)
    const response = await fetch(api.url + playOrder.path, { method: 'POST', headers, body })
    return (await response.json()) as Envelope<object>
  }
  expect(Object.keys(OTHERS)).toEqual(Object.keys(playOrder.request.shape))
  expect(await send(order)).toMatchObject({ code: 1 })
  for (const [field, other] of Object.entries(OTHERS)) {
    expect(await send({ ...order, [field]: other }), field).toMatchObject({
      code: 0,
      data: { reason: 'idempotency_conflict' },
    })
  }
  expect(await owner.query('select from bets.bet')).toHaveLength(2)
})
