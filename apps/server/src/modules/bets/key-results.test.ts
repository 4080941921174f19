/** What a batch keeps with the keys of its orders: the first answer of each, for whoever asks again. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { type OrderRow, placeOrders } from './bet-store.ts'

/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

it('each key keeps the answer of its own order, and a repeated one its first', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(NOON)
  const { db, owner } = database
  const round = await openTestRound(database)
  const [ann, ben] = [await addPlayer(database), await addPlayer(database)]
  const place = (...orders: Omit<OrderRow, 'ord'>[]) =>
    placeOrders(
      db,
      orders.map((order, ord) => ({ ...order, ord })),
    )
  const [first] = await place(orderFor(ann, round, { key: 'one' }))
  const [second, bens] = await place(
    orderFor(ann, round, { key: 'two', u: 99.99 }),
    orderFor(ben, round, { key: 'one' }),
  )
  const [again] = await place(orderFor(ann, round, { key: 'one' }))
  const [without] = await place(orderFor(ann, round))
  expect([first, second, bens, again, without].map((placed) => placed?.reason)).toEqual([
    null,
    'below_minimum',
    null,
    'replay',
    null,
  ])
  expect(again?.betId).toBeNull()
  expect(
    await owner.query(
      `select player_id as player, key, route, encode(input_hash, 'hex') as hash, result
       from wallet.idempotency_key order by player_id, key`,
    ),
  ).toEqual(
    [
      { player: ann, key: 'one', result: { bet_id: Number(first?.betId) } },
      {
        player: ann,
        key: 'two',
        result: { reason: 'below_minimum', facts: { minimum: '100000000' } },
      },
      { player: ben, key: 'one', result: { bet_id: Number(bens?.betId) } },
    ].map((row) => ({ ...row, route: 'playOrder', hash: '00' })),
  )
  await expectAlwaysTrue(owner)
})
