/** The keys of a batch's orders: each is that of its bet, and a refusal keeps none. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { type OrderRow, placeOrders } from './bet-store.ts'

/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

it('each bet has the key of its own order, and a repeated order gets its bet again', async () => {
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
  const { nonce, ...rest } = orderFor(ann, round)
  const [without] = await place({ ...rest, nonce })
  expect([first, second, bens, again, without].map((placed) => placed?.reason)).toEqual([
    null,
    'below_minimum',
    null,
    'replay',
    null,
  ])
  const { betId, orderNo, cashAfter, acceptedAt } = first ?? {}
  expect(again).toMatchObject({ betId, orderNo, cashAfter, acceptedAt })
  expect(
    await owner.query(
      'select player_id as player, id, client_key as key from bets.bet order by player_id, id',
    ),
  ).toEqual([
    { player: ann, id: first?.betId, key: 'one' },
    { player: ann, id: without?.betId, key: `order ${nonce}` },
    { player: ben, id: bens?.betId, key: 'one' },
  ])
  expect(await owner.query('select from wallet.idempotency_key')).toEqual([])
  await expectAlwaysTrue(owner)
})
