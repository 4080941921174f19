/** An idempotency key belongs to one order: the same order again gets the same answer, any other is a conflict. */

import type { Envelope } from '@sum28/contract/envelope.ts'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import type { RequestOf } from '@sum28/contract/route.ts'
import { describe, expect, it } from 'vitest'
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
    return {
      replayed: response.headers.get('Idempotency-Replayed'),
      ...((await response.json()) as Envelope<object>),
    }
  }
  return { database, order, send }
}

describe('a key that was used for an order', () => {
  it('returns the first reply again for the same order, in whatever form it is sent', async () => {
    const { database, order, send } = await served()
    const first = await send(order, 'a-key')
    expect(first).toMatchObject({ code: 1, replayed: null })
    const again = { ...order, play_type: [1], money: 100, plan_id: '11' } as unknown as Request
    for (const same of [order, again]) {
      expect(await send(same, 'a-key')).toMatchObject({
        code: 1,
        replayed: 'true',
        data: first.data,
      })
    }
    expect(await database.owner.query('select from bets.bet')).toHaveLength(2)
  })

  it('is a conflict for an order with any other field', async () => {
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

  it('keeps no refusal: a refused order that is sent again is judged again, and so is any other', async () => {
    const { database, order, send } = await served()
    const small = { ...order, money: '99' }
    const first = await send(small, 'a-key')
    expect(first.data).toEqual({ reason: 'below_minimum', minimum: '100.00' })
    expect(await send(small, 'a-key')).toMatchObject({ code: 0, replayed: null, data: first.data })
    await database.owner.query('update games.room set stake_min = 1000000')
    const placed = await send({ ...order, money: '98' }, 'a-key')
    expect(placed).toMatchObject({ code: 1, replayed: null })
    expect(await send(small, 'a-key')).toMatchObject({ data: { reason: 'idempotency_conflict' } })
    expect(await send({ ...order, money: '98' }, 'a-key')).toMatchObject({
      ...{ code: 1, replayed: 'true' },
      data: placed.data,
    })
  })
})
