import { describe, expect, it, onTestFinished } from 'vitest'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { startTcpProxy } from '#testing/hosts/tcp-proxy.ts'
import { eventually } from '#testing/requests/patience.ts'
import type { BusEvent } from './postgres-bus.ts'
import { eventTexts, parseEvents, postgresBus } from './postgres-bus.ts'

const { database } = eachTestDatabase()

/** @param answerWithinMs longer than a busy machine takes; a test of silence waits for its end */
function member(
  { applicationUrl }: Pick<TestDatabase, 'applicationUrl'>,
  { answerWithinMs = 60_000 } = {},
) {
  const bus = postgresBus(applicationUrl, () => {}, { answerWithinMs })
  onTestFinished(() => bus.close())
  const received: BusEvent[] = []
  const unsubscribe = bus.subscribe((news) => void received.push(news))
  return { bus, received, unsubscribe }
}

const bets = (id: number): BusEvent => ({ topic: 'betsPlaced', id })

/** Publishes repeatedly until an event is received: the first may be sent before the other is subscribed. */
async function untilReceived(from: ReturnType<typeof member>, to: ReturnType<typeof member>) {
  await eventually(() => {
    from.bus.publish([{ topic: 'roundChanged', id: 4 }])
    return to.received.some(({ topic, id }) => topic === 'roundChanged' && id === 4)
  })
}

describe('the bus on PostgreSQL', () => {
  it('delivers to its own process at once, to others soon, and each event once', async () => {
    const [one, two] = [member(database), member(database)]
    await untilReceived(one, two)
    one.received.length = 0
    one.bus.publish([bets(11), bets(12)])
    one.bus.publish([bets(11)])
    expect(one.received).toEqual([bets(11), bets(12), bets(11)])
    await eventually(() => two.received.some(({ id }) => id === 12))
    expect(two.received.filter(({ topic }) => topic === 'betsPlaced')).toEqual([bets(11), bets(12)])
    expect(one.received).toHaveLength(3)
  })

  it.each(['requests', 'answers'] as const)(
    'comes back after its connection has fallen silent: %s are swallowed',
    async (what) => {
      const proxy = await startTcpProxy(database.applicationUrl)
      const [one, two] = [
        member({ applicationUrl: proxy.url }, { answerWithinMs: 1_000 }),
        member(database),
      ]
      await untilReceived(one, two)
      proxy.silence(what)
      two.received.length = 0
      one.received.length = 0
      await untilReceived(two, one)
      await untilReceived(one, two)
    },
  )

  it('reconnects after the database was down, and publishing meanwhile has no effect', async () => {
    const [one, two] = [member(database), member(database)]
    await untilReceived(one, two)
    await database.takeAway()
    one.bus.publish([bets(11)])
    await new Promise((soon) => setTimeout(soon, 60))
    await database.giveBack()
    two.received.length = 0
    await untilReceived(one, two)
  })

  it('receives nothing after unsubscribing, and can be closed while the database is down', async () => {
    const { bus, received, unsubscribe } = member(database)
    unsubscribe()
    bus.publish([bets(11)])
    expect(received).toEqual([])
    await database.takeAway()
    await bus.close()
    await database.giveBack()
  })

  it('ignores foreign messages on its channel', async () => {
    const [one, two] = [member(database), member(database)]
    await untilReceived(one, two)
    two.received.length = 0
    for (const text of [
      ...['', 'null', '{', '{"from":1}', '{"from":"x","news":["betsPlaced:-1","card:4"]}'],
      '{"from":"x","news":["betsPlaced:21"]}',
    ])
      await database.db.query('select pg_notify($1, $2)', ['sum28_news', text])
    await eventually(() => two.received.some(({ id }) => id === 21))
    expect(two.received.filter(({ topic }) => topic !== 'roundChanged')).toEqual([bets(21)])
  })
})

it('events as text are short enough for PostgreSQL for any number of events, and can be parsed again', () => {
  const news = Array.from({ length: 1_000 }, (_, index) => bets(999_999_000 + index))
  const texts = eventTexts('0123456789abcdef', [...news, ...news])
  for (const text of texts) expect(text.length).toBeLessThan(8_000)
  expect(texts.flatMap((text) => parseEvents(text)?.events ?? [])).toEqual(news)
})
