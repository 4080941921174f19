/** Two processes on one database: players of both share a room, and one of them drives its rounds. */
import { heart, playOrder } from '@sum28/contract/lottery-routes.ts'
import type { FeedMessage } from '@sum28/contract/replies.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { tronNode } from '#src/adapters/chain/tron-node.ts'
import { withClient } from '#src/db/with-client.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addSeatedPlayers } from '#testing/people/seated-player.ts'
import { openIssue, playRound } from '#testing/product/play-round.ts'
import { clientOf, startProcess } from '#testing/product/processes.ts'
import { createTestApp, registerMember, usdtAddressOf } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { eventOf, openStream, type TestStream } from '#testing/requests/stream-client.ts'

const ROOM = { plan_id: 11, game_id: 1 }

function ids(stream: TestStream): number[] {
  return stream
    .of('feed')
    .flat()
    .map(({ id }) => id)
}

it('two processes show players each other’s bets and draws, in one order, with events and without', async () => {
  const test = await createTestApp()
  const second = await startProcess(test.config, test.database.addresses, { clockSyncMs: 100 })
  const inSecond = ({ token }: { token: string }) => clientOf(second, token)
  const players = await addSeatedPlayers(test.database, 10)
  const [first, other] = players
  if (!first || !other) throw new Error('no players')
  const firstStream = await openStream(test.app.url, { ...ROOM, after: 0 }, first)
  const otherStream = await openStream(second.url, { ...ROOM, after: 0 }, other)
  const placed: number[] = []
  const issue = await playRound(test, async (open) => {
    const order = { ...ROOM, issue: open, play_type: '[1]', money: 100 }
    for (let repeat = 0; repeat < 5; repeat += 1) {
      const messages: FeedMessage[] = await Promise.all(
        players.map(async (player, index) =>
          index % 2 === 0
            ? (await test.call(playOrder, order, player)).data
            : inSecond(player)(playOrder, order),
        ),
      )
      placed.push(...messages.map(({ id }) => id))
    }
  })
  const inOrder = placed.toSorted((a, b) => a - b)
  for (const stream of [firstStream, otherStream]) {
    await eventually(() => ids(stream).length >= placed.length)
    expect(ids(stream)).toEqual(inOrder)
  }
  const polled = await inSecond(first)(heart, { ...ROOM, after: 0 })
  expect(polled.message.map(({ id }) => id)).toEqual(inOrder)
  const draws = await Promise.all(
    [firstStream, otherStream].map((stream) =>
      eventOf(stream, 'round', (at) => at.last_issue?.issue === issue),
    ),
  )
  expect(draws[0]?.last_issue).toEqual(draws[1]?.last_issue)

  const next = await openIssue(test)
  /** Bets in the first process, and waits until the other process's stream has it. */
  async function betAndReceive(): Promise<void> {
    const order = { ...ROOM, issue: next, play_type: '[1]', money: 100 }
    const { data } = await test.call(playOrder, order, first)
    await eventually(() => ids(otherStream).includes(data.id))
  }
  const news: string[] = []
  await withClient(test.database.applicationUrl, async (listener) => {
    listener.on('notification', ({ payload = '' }) => news.push(payload))
    await listener.query('listen sum28_news')
    await betAndReceive()
    await eventually(() => news.length > 0)
  })

  // The bus's connections break; new ones are broken again, so that no event arrives.
  let breaking = true
  const broken = (async () => {
    // One statement at a time: on a slow machine they would pile up.
    while (breaking) {
      await test.database.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'sum28 bus' and datname = current_database()`,
      )
      await new Promise((again) => setTimeout(again, 20))
    }
  })()
  const buses = `select from pg_stat_activity
    where application_name = 'sum28 bus' and datname = current_database()`
  await eventually(async () => !(await test.database.owner.exists(buses)))
  await betAndReceive()
  breaking = false
  await broken
  await expectAlwaysTrue(test.database.owner)
})

it('two processes have one chain: test USDT that either sends is known to both, and credited once', async () => {
  const test = await createTestApp()
  const second = await startProcess(test.config, test.database.addresses, { watchPollMs: 1_000 })
  const ann = await registerMember(test)
  const to = await usdtAddressOf(test, ann)
  const processes = [test.app, second]
  for (const [sentBefore, { chain }] of processes.entries()) {
    const sent = await chain?.transfer({ to, amountMicro: 5_000_000n })
    if (!sent?.ok) throw new Error('nothing was sent')
    await test.addBlocks()
    const money = `${(sentBefore + 1) * 5}.00`
    await eventually(async () => (await test.call(userInfo, {}, ann)).data.money === money)
    const known = processes.map(({ url }) =>
      tronNode({ url: `${url}/tron` }).solidTransaction(sent),
    )
    const [one, other] = await Promise.all(known)
    expect(one).toMatchObject({ ok: true, value: { blockNumber: sent.blockNumber } })
    expect(other).toEqual(one)
  }
  await expectAlwaysTrue(test.database.owner)
})
