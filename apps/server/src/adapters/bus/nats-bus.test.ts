import { describe, expect, it, onTestFinished } from 'vitest'
import { natsServerPath, startNatsServer } from '#testing/nats-server.ts'
import { eventually } from '#testing/test-app.ts'
import type { News } from './bus.ts'
import { natsBus } from './nats-bus.ts'

function member(url: string) {
  const losses: Error[] = []
  const bus = natsBus(url, (error) => void losses.push(error))
  onTestFinished(() => bus.close())
  const heard: News[] = []
  const unsubscribe = bus.subscribe((news) => void heard.push(news))
  return { bus, heard, losses, unsubscribe }
}

/** Tells again and again until it is heard: the first news may come before the other listens. */
async function untilHeard(from: ReturnType<typeof member>, to: ReturnType<typeof member>) {
  await eventually(() => {
    from.bus.publish([{ topic: 'game', id: 4 }])
    return to.heard.some(({ topic, id }) => topic === 'game' && id === 4) || undefined
  })
}

describe.skipIf(!natsServerPath)('the bus on NATS', () => {
  it('tells the own process at once, and others soon, each of them once', async () => {
    const { url } = await startNatsServer()
    const [one, two] = [member(url), member(url)]
    await untilHeard(one, two)
    one.heard.length = 0
    one.bus.publish([
      { topic: 'room', id: 11 },
      { topic: 'room', id: 12 },
    ])
    expect(one.heard.map(({ id }) => id)).toEqual([11, 12])
    await eventually(() => two.heard.some(({ id }) => id === 12) || undefined)
    expect(two.heard.filter(({ topic }) => topic === 'room').map(({ id }) => id)).toEqual([11, 12])
    expect(one.heard).toHaveLength(2)
  })

  it('comes back after the server was away, and meanwhile publishing harms nobody', async () => {
    const server = await startNatsServer()
    const [one, two] = [member(server.url), member(server.url)]
    await untilHeard(one, two)
    await server.stop()
    await eventually(() => one.losses.length > 0 || undefined)
    one.bus.publish([{ topic: 'room', id: 11 }])
    await server.start()
    two.heard.length = 0
    await untilHeard(one, two)
    expect(one.losses).toHaveLength(1)
  })

  it('waits for a server that is not there yet, and closes while it is away', async () => {
    const server = await startNatsServer()
    await server.stop()
    const early = member(server.url)
    await eventually(() => early.losses.length > 0 || undefined)
    await server.start()
    const late = member(server.url)
    await untilHeard(late, early)
    await server.stop()
    await early.bus.close()
  })

  it('knows user and password, or a token, from the address', async () => {
    const guarded = await startNatsServer('--user', 'bus', '--pass', 'p:ss word')
    const withPassword = guarded.url.replace('//', '//bus:p%3Ass%20word@')
    await untilHeard(member(withPassword), member(withPassword))
    const stranger = member(guarded.url)
    await eventually(() => stranger.losses.length > 0 || undefined)

    const byToken = await startNatsServer('--auth', 'a-token')
    const withToken = byToken.url.replace('//', '//a-token@')
    await untilHeard(member(withToken), member(withToken))
  })

  it('hears nothing once unsubscribed, and ignores what others say on its subject', async () => {
    const { url } = await startNatsServer()
    const [one, two, gone] = [member(url), member(url), member(url)]
    gone.unsubscribe()
    await untilHeard(one, two)
    const { connect } = await import('@nats-io/transport-node')
    const stranger = await connect({ servers: new URL(url).host })
    for (const text of ['', 'null', '{', '{"from":1}', '{"from":"x","news":["card:4"]}']) {
      stranger.publish('sum28.news', text)
    }
    stranger.publish('sum28.news', '{"from":"x","news":["room:21"]}')
    await stranger.drain()
    await eventually(() => two.heard.some(({ id }) => id === 21) || undefined)
    expect(two.heard.filter(({ topic }) => topic === 'room')).toEqual([{ topic: 'room', id: 21 }])
    expect(gone.heard).toEqual([])
  })
})
