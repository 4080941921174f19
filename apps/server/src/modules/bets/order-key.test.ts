/** An idempotency key belongs to one order. used-key.test.ts: the same order again, and a refused one. */

import type { Envelope } from '@sum28/contract/envelope.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import type { RequestOf } from '@sum28/contract/route.ts'
import { expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { serveForTest, testLog } from '#testing/product/served-routes.ts'
import { betPlacer, placeOrders } from './place-bet.ts'
import { betRoutes } from './routes.ts'

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

async function served() {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const followed = await addPlayer(database)
  const [entry] = await placeOrders(database.db, [{ ...orderFor(followed, round), ord: 0 }])
  const { db } = database
  const placeBet = betPlacer({ db, onAccepted: () => {} })
  const api = await serveForTest(
    betRoutes({ ...testLog(db), db, placeBet, timeZone: 'Asia/Singapore', now: Date.now }),
  )
  const order: Request = {
    issue: round.issue,
    plan_id: 11,
    game_id: 1,
    play_type: '[1]',
    money: '100',
    follow_id: Number(entry?.betId),
  }
  const player = await addPlayer(database)
  const send = async (request: Request, key: string) => {
    const response = await fetch(api.url + playOrder.path, {
      method: 'POST',
      headers: {
        Token: String(player),
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(request),
    })
    return (await response.json()) as Envelope<object>
  }
  return { database, order, send }
}

it('a key that was used for an order is a conflict for an order with any other field', async () => {
  const { database, order, send } = await served()
  expect(Object.keys(OTHERS)).toEqual(Object.keys(playOrder.request.shape))
  expect(await send(order, 'a-key')).toMatchObject({ code: 1 })
  for (const [field, other] of Object.entries(OTHERS)) {
    expect(await send({ ...order, [field]: other }, 'a-key'), field).toMatchObject({
      code: 0,
      data: { reason: 'idempotency_conflict' },
    })
  }
  expect(await database.owner.query('select from bets.bet')).toHaveLength(2)
})
