/** What players are told while the database is silent, whatever they ask for. */
import { articleList } from '@sum28/contract/index-routes.ts'
import { heart, playOrder } from '@sum28/contract/lottery-routes.ts'
import { stream } from '@sum28/contract/stream.ts'
import { orderCsv, orderList, saveProfile, userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { ANSWER_WITHIN_MS } from '#src/concurrency/concurrency.ts'
import { LIMITS, type Limits } from '#src/db/limits.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf, openTestRound } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { startTcpProxy } from '#testing/hosts/tcp-proxy.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { createInstallation } from '#testing/product/processes.ts'
import { eventually } from '#testing/requests/patience.ts'

const ROOM = { plan_id: 11, game_id: 1 }
const U = 1_000_000n

/** The product's own limits of time, all of them a quarter as long. */
const FASTER = 4
const quarter = ({ connectMs, lockMs, statementMs, answerMs }: Limits): Limits => ({
  connectMs: connectMs / FASTER,
  lockMs: lockMs / FASTER,
  statementMs: statementMs / FASTER,
  answerMs: answerMs / FASTER,
})

it('every kind of call is refused for now, and an order that is sent again stands once', async () => {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(database.addresses.api)
  const addresses = { ...database.addresses, api: proxy.url }
  const installation = await createInstallation({}, { ...database, addresses })
  const app = await installation.start('api', {
    answerWithinMs: ANSWER_WITHIN_MS / FASTER,
    limits: {
      orders: quarter(LIMITS.orders),
      requests: quarter(LIMITS.requests),
      files: quarter(LIMITS.files),
    },
  })
  const player = await addSeatedPlayer(database, { u: 1_000 })
  const { issue } = await openTestRound(database, { secondsLeft: 3_600 })
  const headers = { Token: player.token }
  const get = ({ path }: { path: string }, query: Record<string, unknown> = {}) =>
    fetch(`${app.url}${path}?${new URLSearchParams(query as Record<string, string>)}`, { headers })
  // A key for each call: a profile that is saved after all would take the order's.
  const post = ({ path }: { path: string }, body: object) =>
    fetch(app.url + path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': `of${path}` },
      body: JSON.stringify({ ...body, lang: 'en', host: 'localhost' }),
    })
  const order = () => post(playOrder, { ...ROOM, issue, play_type: '[1]', money: 100 })
  // A busy machine may miss the limits once, before the silence.
  await eventually(async () => (await post(userInfo, {})).status === 200)

  proxy.silenceAll(true)
  const replies = await Promise.all([
    order(),
    post(heart, { ...ROOM, after: 0 }),
    post(userInfo, {}),
    post(orderList, {}),
    get(articleList),
    post(saveProfile, { idcard: 'A1234567' }),
    get(orderCsv),
    get(stream, ROOM),
  ])
  for (const reply of replies) {
    expect(reply.status, reply.url).toBe(503)
    expect(reply.headers.get('retry-after'), reply.url).toBe('2')
    expect(await reply.json()).toMatchObject({ data: { reason: 'unavailable', cause: 'timeout' } })
  }
  proxy.silenceAll(false)

  await eventually(async () => {
    const reply = (await (await order()).json()) as { code: number; data: unknown }
    const { code, data } = reply
    if (code !== 1) expect(data).toMatchObject({ reason: 'unavailable' })
    return code === 1
  })
  expect(await cashOf(database, player.id)).toBe(900n * U)
  await expectAlwaysTrue(database.owner)
})
