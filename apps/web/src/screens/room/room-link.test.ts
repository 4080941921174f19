/**
 * Goal: all data of a room's stream is read, and the different ways in which it ends are distinguished.
 * Method: a real server on this machine that writes, and breaks the connection, as a test requests.
 */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Refusal } from '@sum28/contract/client.ts'
import { STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { memoryStorage } from '@sum28/ui/storage.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openStream, readStream } from '#src/data/live/read-stream.ts'
import { batchUpdates, roomQuery, updateOfEvent } from '#src/screens/room/room-link.ts'
import type { FeedEntry, RoomUpdate } from '#src/screens/room/room-update.ts'

const ROUND = {
  game_status: 1,
  issue: {
    issue: '20261120138',
    last_issue: '20261120137',
    openTime1: 42,
    whether_close: false,
    version: '5',
  },
  last_issue: null,
}
const ENTRY = {
  id: 7,
  user_id: 3,
  nickname: 'an**y',
  issue: '20261120138',
  play_method: 'long, 13',
  play_type: '[1,413]',
  quantity: '100.00',
  total: '200.00',
  after_quantity: null,
  robot: true,
  createtime: 1_795_209_510,
}
const WIN = {
  id: 9,
  issue: '20261120137',
  game_name: 'BTC',
  nickname: 'an**y',
  profit: '193.00',
  round_profit: '93.00',
}

const eventText = (name: string, data: unknown) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const refusal = (code: number, data: object) => ({ code, msg: 'No.', time: '1', data })

/**
 * Reads what a server answers; gives the news, how often it lived, and the error at the end.
 *
 * @param onUpdate called at each news
 */
async function readFrom(answer: RequestListener, onUpdate = () => {}) {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const updates: RoomUpdate[] = []
  let lives = 0
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    const error: unknown = await readStream(response, {
      onBytes: () => lives++,
      onEvent: (event, receivedAt) => {
        const update = updateOfEvent(event, receivedAt)
        if (!update) return
        updates.push(update)
        onUpdate()
      },
    }).catch((caught: unknown) => caught)
    return { updates, lives, error }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

it('delivers the parts of a room, and ignores pings and unknown events', async () => {
  const { updates, lives, error } = await readFrom((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
    response.write(': open\n\n')
    response.write(eventText('round', ROUND) + eventText('later', 1) + eventText('feed', [ENTRY]))
    response.end(
      eventText('money', { money: '10.50', version: '9', buy: '2.00', buy_issue: '20261120138' }) +
        eventText('win', [WIN]) +
        eventText('feed', [ENTRY]).slice(0, -1),
    )
  })
  expect(updates).toMatchObject([
    { round: { status: 'runs', roundId: '20261120138', clock: { seconds: 42 } } },
    { entries: [{ id: 7, ruleIds: [1, 413], stake: 100n * MICRO, robot: true }] },
    {
      money: {
        balance: 10_500_000n,
        version: 9n,
        bought: { version: 9n, roundId: '20261120138', amount: 2n * MICRO },
      },
    },
    { wins: [{ roundId: '20261120137', roundProfit: 93n * MICRO }] },
  ])
  expect(lives).toBeGreaterThan(0)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(Refusal)
})

it('fails when it is cut off within an event, and does not deliver that event', async () => {
  const arrived = Promise.withResolvers<void>()
  const { updates, error } = await readFrom((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(
      eventText('feed', [ENTRY]) + eventText('feed', [{ ...ENTRY, id: 8 }]).slice(0, 60),
    )
    // What is not read before the connection breaks is lost.
    void arrived.promise.then(() => response.destroy())
  }, arrived.resolve)
  expect(updates.flatMap(({ entries }) => entries ?? []).map(({ id }) => id)).toEqual([7])
  expect(error).toBeInstanceOf(Error)
})

it('is refused with the words and the code of the server', async () => {
  const { error } = await readFrom((_request, response) => {
    response.writeHead(429, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(refusal(429, { reason: 'too_many_requests', retry_after: 60 })))
  })
  expect(error).toBeInstanceOf(Refusal)
  expect(error).toMatchObject({ code: 429, message: 'No.', data: { retry_after: 60 } })
})

it('ends with the refusal that is the server’s last event', async () => {
  const { error } = await readFrom((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.end(eventText('end', refusal(50_014, { reason: 'session_expired' })))
  })
  expect(error).toBeInstanceOf(Refusal)
  expect(error).toMatchObject({ code: 50_014 })
})

it('fails if a proxy answers instead of the server', async () => {
  const { error } = await readFrom((_request, response) => {
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
  })
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(Refusal)
})

it('is requested from the last received entry on, without the token in the address', async () => {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => new Response())
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('location', { host: 'play.example' })
  vi.stubGlobal('sessionStorage', memoryStorage())
  const { signal } = new AbortController()
  const room = { gameId: 4, roomId: 42 }
  for (const after of [7, null]) {
    await openStream(STREAM_PATH, { signal, token: 'secret', query: roomQuery({ ...room, after }) })
  }
  const addresses = fetched.mock.calls.map(([address]) => address)
  expect(addresses).toEqual([
    '/api/Lottery/stream?host=play.example&lang=en&plan_id=42&game_id=4&after=7',
    '/api/Lottery/stream?host=play.example&lang=en&plan_id=42&game_id=4',
  ])
  expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ Token: 'secret' })
  vi.unstubAllGlobals()
})

function entry(id: number): FeedEntry {
  return {
    id,
    roundId: '138',
    playerId: 1,
    nickname: 'an***a',
    outcomes: ['long'],
    ruleIds: [1],
    stake: 1_000_000n,
    total: 1_000_000n,
    robot: false,
  }
}

const entries = (...ids: number[]): RoomUpdate => ({
  receivedAt: performance.now(),
  entries: ids.map(entry),
})
const money = (): RoomUpdate => ({
  receivedAt: performance.now(),
  money: { balance: 5n, version: 1n },
})
const idsOf = (received: RoomUpdate[]) =>
  received.map((update) => update.entries?.map(({ id }) => id))

describe('the updates of a busy room', () => {
  let received: RoomUpdate[] = []
  let batches = batchUpdates(() => {})

  beforeEach(() => {
    vi.useFakeTimers()
    received = []
    batches = batchUpdates((update) => received.push(update))
  })
  afterEach(() => {
    batches.stop()
    vi.useRealTimers()
  })

  it('are passed on at once if they come alone', () => {
    batches.add(entries(1))
    vi.advanceTimersByTime(1_000)
    batches.add(entries(2))
    expect(idsOf(received)).toEqual([[1], [2]])
  })

  it('are collected if they come soon after others, and none is lost', () => {
    batches.add(entries(1))
    for (const id of [2, 3, 4]) {
      vi.advanceTimersByTime(60)
      batches.add(entries(id))
    }
    expect(idsOf(received)).toEqual([[1]])
    vi.advanceTimersByTime(100)
    expect(idsOf(received)).toEqual([[1], [2, 3, 4]])
  })

  it('wait only if they have entries alone, and keep their order', () => {
    batches.add(entries(1))
    batches.add(entries(2))
    batches.add(money())
    expect(idsOf(received)).toEqual([[1], [2]])
    expect(received[1]?.money?.balance).toBe(5n)
    batches.add(money())
    expect(received).toHaveLength(3)
    expect(received[2]).not.toHaveProperty('entries')
  })

  it('are passed on once if a new stream sends them twice', () => {
    batches.add(entries(1))
    batches.add(entries(2, 3))
    batches.add(entries(2, 3, 4))
    vi.advanceTimersByTime(300)
    expect(idsOf(received)).toEqual([[1], [2, 3, 4]])
  })

  it('are passed on also with an empty list of entries', () => {
    batches.add(entries())
    expect(idsOf(received)).toEqual([[]])
  })

  it('are not passed on after the stop', () => {
    batches.add(entries(1))
    batches.add(entries(2))
    batches.stop()
    vi.advanceTimersByTime(1_000)
    expect(idsOf(received)).toEqual([[1]])
  })
})
