import { describe, expect, it, onTestFinished } from 'vitest'
import { natsServerPath, startNatsServer } from '#testing/nats-server.ts'
import { eventually } from '#testing/test-app.ts'
import type { BusEvent } from './bus.ts'
import { natsBus } from './nats-bus.ts'

function member(url: string) {
  const losses: Error[] = []
  const bus = natsBus(url, (error) => void losses.push(error))
  onTestFinished(() => bus.close())
  const received: BusEvent[] = []
  const unsubscribe = bus.subscribe((news) => void received.push(news))
  return { bus, received, losses, unsubscribe }
}

/** Publishes repeatedly until an event is received: the first may be sent before the other is subscribed. */
async function untilReceived(from: ReturnType<typeof member>, to: ReturnType<typeof member>) {
  await eventually(() => {
    from.bus.publish([{ topic: 'roundChanged', id: 4 }])
    return to.received.some(({ topic, id }) => topic === 'roundChanged' && id === 4) || undefined
  })
}

describe.skipIf(!natsServerPath)('the bus on NATS', () => {
  it('delivers to its own process at once, to others soon, and each event once', async () => {
    const { url } = await startNatsServer()
    const [one, two] = [member(url), member(url)]
    await untilReceived(one, two)
    one.received.length = 0
    one.bus.publish([
      { topic: 'betsPlaced', id: 11 },
      { topic: 'betsPlaced', id: 12 },
    ])
    expect(one.received.map(({ id }) => id)).toEqual([11, 12])
    await eventually(() => two.received.some(({ id }) => id === 12) || undefined)
    expect(two.received.filter(({ topic }) => topic === 'betsPlaced').map(({ id }) => id)).toEqual([
      11, 12,
    ])
    expect(one.received).toHaveLength(2)
  })

  it('reconnects after the server was down, and publishing meanwhile has no effect', async () => {
    const server = await startNatsServer()
    const [one, two] = [member(server.url), member(server.url)]
    await untilReceived(one, two)
    // A slow first connection may have been one.
    one.losses.length = 0
    await server.stop()
    await eventually(() => one.losses.length > 0 || undefined)
    one.bus.publish([{ topic: 'betsPlaced', id: 11 }])
    await server.start()
    two.received.length = 0
    await untilReceived(one, two)
    expect(one.losses).toHaveLength(1)
  })

  it('waits for a server that is not running yet, and can be closed while it is down', async () => {
    const server = await startNatsServer()
    await server.stop()
    const early = member(server.url)
    await eventually(() => early.losses.length > 0 || undefined)
    await server.start()
    const late = member(server.url)
    await untilReceived(late, early)
    await server.stop()
    await early.bus.close()
  })

  it('takes user and password, or a token, from the address', async () => {
    const guarded = await startNatsServer('--user', 'bus', '--pass', 'p:ss word')
    const withPassword = guarded.url.replace('//', '//bus:p%3Ass%20word@')
    await untilReceived(member(withPassword), member(withPassword))
    const stranger = member(guarded.url)
    await eventually(() => stranger.losses.length > 0 || undefined)

    const byToken = await startNatsServer('--auth', 'a-token')
    const withToken = byToken.url.replace('//', '//a-token@')
    await untilReceived(member(withToken), member(withToken))
  })

  it('receives nothing after unsubscribing, and ignores foreign messages on its subject', async () => {
    const { url } = await startNatsServer()
    const [one, two, gone] = [member(url), member(url), member(url)]
    gone.unsubscribe()
    await untilReceived(one, two)
    const { connect } = await import('@nats-io/transport-node')
    const stranger = await connect({ servers: new URL(url).host })
    for (const text of ['', 'null', '{', '{"from":1}', '{"from":"x","news":["card:4"]}']) {
      stranger.publish('sum28.news', text)
    }
    stranger.publish('sum28.news', '{"from":"x","news":["betsPlaced:21"]}')
    await stranger.drain()
    await eventually(() => two.received.some(({ id }) => id === 21) || undefined)
    expect(two.received.filter(({ topic }) => topic === 'betsPlaced')).toEqual([
      { topic: 'betsPlaced', id: 21 },
    ])
    expect(gone.received).toEqual([])
  })
})
