/** Orders to a database that does not answer: each player learns the truth, and no bet is placed twice. */
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, type TestRound } from '#testing/database/fixtures.ts'
import { createTestDatabase, openTestPool } from '#testing/database/test-database.ts'
import { type Silence, startTcpProxy, withoutWaiting } from '#testing/hosts/tcp-proxy.ts'
import { betOrder } from '#testing/product/play-round.ts'
import { serveBets } from '#testing/product/served-routes.ts'
import { PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import type { Bet } from './bet-store.ts'
import { betPlacer } from './place-bet.ts'

const U = 1_000_000n

/** For any statement, and for a connection; tests let it pass in a moment. */
const LIMIT_MS = PATIENT_TO_CONNECT.connectMs

/** An order with a key, or with none. */
const order = (playerId: number, round: TestRound, key: string | null) =>
  betOrder(playerId, round, { idempotencyKey: key })

/** A server's bets through a proxy, with one connection that has been used. */
async function throughProxy() {
  const database = await createTestDatabase()
  const round = await openTestRound(database, { secondsLeft: 600 })
  const proxy = await startTcpProxy(database.applicationUrl)
  const db = openTestPool(proxy.url, { connectionsMax: 4, answerMs: LIMIT_MS })
  const accepted: Bet[] = []
  const placeBet = betPlacer({
    db,
    onAccepted: (bets) => accepted.push(...bets),
  })
  const players = [await addPlayer(database), await addPlayer(database), await addPlayer(database)]
  await db.query('select 1')
  return { database, round, proxy, players, placeBet, accepted }
}

it.each<[Silence, string]>([
  ['answers', 'were placed, and nobody heard of it'],
  ['requests', 'never came to the database'],
])(
  'orders whose connection swallows %s, so that they %s, are each answered and placed once',
  async (what) => {
    const { database, round, proxy, players, placeBet, accepted } = await throughProxy()
    proxy.silence(what)
    const [a, b, c] = players as [number, number, number]
    const placing = () =>
      Promise.all([
        placeBet(order(a, round, 'a-key')),
        placeBet(order(b, round, null)),
        // One that cannot be accepted.
        placeBet({ ...order(c, round, 'its-key'), stake: 1n * U }),
      ])
    const placed = await withoutWaiting(proxy, placing, LIMIT_MS)
    expect(placed).toMatchObject([
      { bet: { playerId: a, cashAfter: 900n * U } },
      { bet: { playerId: b, cashAfter: 900n * U } },
      { refused: 'below_minimum', details: { minimum: '100.00' } },
    ])
    expect(accepted.map(({ playerId }) => playerId).sort()).toEqual([a, b].sort())
    expect(await cashOf(database, a)).toBe(900n * U)
    expect(await cashOf(database, b)).toBe(900n * U)
    expect(await cashOf(database, c)).toBe(1_000n * U)
    // And a repeated request gets the same answer.
    expect(await placeBet(order(a, round, 'a-key'))).toMatchObject({
      replayed: true,
      bet: { playerId: a, cashAfter: 900n * U },
    })
    await expectAlwaysTrue(database.owner)
  },
)

it('orders of others continue while a batch waits for an answer that does not come', async () => {
  const { database, round, proxy, players, placeBet } = await throughProxy()
  const [a, b] = players as [number, number]
  proxy.silence('answers')
  const placing = async () => {
    const first = placeBet(order(a, round, 'one'))
    // The next batch, through a new connection.
    await new Promise((next) => setImmediate(next))
    return Promise.all([first, placeBet(order(b, round, 'two'))])
  }
  expect(await withoutWaiting(proxy, placing, LIMIT_MS)).toMatchObject([
    { bet: { playerId: a } },
    { bet: { playerId: b } },
  ])
  await expectAlwaysTrue(database.owner)
})

it('an order may have been placed, says its refusal, if its answer was lost and then the database left', async () => {
  const { database, round, proxy, players, placeBet } = await throughProxy()
  const { call } = await serveBets(database.db, placeBet)
  const [a] = players as [number]
  proxy.silence('answers')
  const { gameId, roomId, issue } = order(a, round, null)
  const ordered = { game_id: gameId, plan_id: roomId, issue, play_type: '[1]', money: 100 }
  const refused = call(playOrder, ordered, a)
  await proxy.swallowed()
  proxy.close()
  const { http, data } = await refused
  expect([http, data]).toEqual([503, { reason: 'unavailable', cause: 'timeout' }])
  expect(await cashOf(database, a)).toBe(900n * U)
  await expectAlwaysTrue(database.owner)
})
