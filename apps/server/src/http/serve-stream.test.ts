import { once } from 'node:events'
import { connect } from 'node:net'
import { stream } from '@sum28/contract/stream.ts'
import { STREAM_PING_MS } from '@sum28/contract/stream-rules.ts'
import { describe, expect, it, vi } from 'vitest'
import type { Caller } from '#src/http/caller.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { bareServer, memberCaller } from '#testing/product/served-routes.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { eventually } from '#testing/requests/patience.ts'
import { rateLimits } from './rate-limits.ts'
import { bindStream, type OpenStream, type StreamBounds, serveStreams } from './serve-stream.ts'

async function serve(open: OpenStream<typeof stream>, bounds?: StreamBounds) {
  const server = await bareServer()
  serveStreams(
    server,
    [bindStream(stream, open)],
    {
      findCaller: async () => memberCaller(1),
      findStaff: async () => refuse('forbidden'),
      doubtfulSessions: async () => [],
      watchOwn: () => () => {},
      rateLimits: rateLimits(false),
      secureCookies: false,
    },
    bounds,
  )
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `${origin}${stream.path}?plan_id=11&game_id=1`
  const ask = (headers = {}, signal?: AbortSignal) =>
    fetch(url, { headers: { token: 't', ...headers }, signal: signal ?? null })
  return { server, port: Number(new URL(origin).port), ask }
}

/** Asks for the stream and reads nothing. */
function askAndIgnore(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.write(
    `GET ${stream.path}?plan_id=11&game_id=1 HTTP/1.1\r\nHost: localhost\r\nToken: t\r\n\r\n`,
  )
  return socket
}

it('disconnects a client that does not read, and sends it nothing more', async () => {
  const state = { sent: 0, left: false }
  const { port } = await serve(async (_caller, _input, send) => {
    const json = JSON.stringify('x'.repeat(10_000))
    const telling = setInterval(() => {
      send('feed', json)
      state.sent += json.length
    }, 1)
    return () => {
      clearInterval(telling)
      state.left = true
    }
  })
  const socket = askAndIgnore(port)
  await eventually(() => state.left)
  // The kernel's buffers of a local connection hold some megabytes besides ours.
  expect(state.sent).toBeLessThan(40_000_000)
  socket.destroy()
})

it('sends nothing to a client that has left, even during the opening', async () => {
  const state = { opened: 0, left: 0 }
  const { port } = await serve(async () => {
    state.opened += 1
    await new Promise((later) => setTimeout(later, 100))
    return () => {
      state.left += 1
    }
  })
  const gone = askAndIgnore(port)
  await eventually(() => state.opened === 1)
  gone.destroy()
  await eventually(() => state.left === 1)

  const stays = askAndIgnore(port)
  await once(stays.resume(), 'data')
  expect(state).toEqual({ opened: 2, left: 1 })
  stays.destroy()
  await eventually(() => state.left === 2)
})

describe('open streams', () => {
  const LONG = 3_600_000

  async function opener(bounds: StreamBounds) {
    let player = 0
    const { ask } = await serve(async () => () => {}, bounds)
    return async (address: string) => {
      player += 1
      const gone = new AbortController()
      const headers = { token: `t${player}`, 'x-forwarded-for': address }
      const response = await ask(headers, gone.signal)
      return { status: response.status, response, leave: () => gone.abort() }
    }
  }

  it('are limited for one network, and one that ends makes room', async () => {
    const open = await opener({ ofNetwork: 3, inAll: 100, longestMs: LONG })
    const first = await open('203.0.113.1')
    for (let n = 0; n < 2; n += 1) expect((await open('203.0.113.1')).status).toBe(200)
    const refused = await open('203.0.113.1')
    expect(refused.status).toBe(429)
    expect(refused.response.headers.get('retry-after')).toBe('60')
    expect(await refused.response.json()).toMatchObject({
      code: 429,
      data: { reason: 'too_many_requests', retry_after: 60 },
    })
    expect((await open('203.0.113.2')).status).toBe(200)
    first.leave()
    await eventually(async () => (await open('203.0.113.1')).status === 200)
  })

  it('are limited in all', async () => {
    const open = await opener({ ofNetwork: 3, inAll: 4, longestMs: LONG })
    const all = []
    for (let n = 0; n < 6; n += 1) all.push((await open(`203.0.113.${n}`)).status)
    expect(all).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('end at their greatest age, and may be opened again', async () => {
    const open = await opener({ ofNetwork: 1, inAll: 1, longestMs: 0 })
    const { response } = await open('203.0.113.1')
    expect(await response.text()).toBe(': open\n\n')
    await eventually(async () => (await open('203.0.113.1')).status === 200)
  })
})

it('sends a sign of life every fifteen seconds, and ends when the server closes', async () => {
  holdTime('setInterval')
  const state = { left: false }
  const { server, ask } = await serve(async () => () => {
    state.left = true
  })
  const response = await ask()
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  vi.advanceTimersByTime(2 * STREAM_PING_MS)
  await server.close()
  expect(await response.text()).toBe(': open\n\n: ping\n\n: ping\n\n')
  await eventually(() => state.left)
})

it('answers only GET, and accepts no token in the address', async () => {
  const callers: (Caller | null)[] = []
  const { server } = await serve(async (caller) => {
    callers.push(caller)
    return refuse('not_found')
  })
  const head = await server.inject({ method: 'HEAD', url: stream.path })
  expect(head.statusCode).toBe(404)
  for (const name of ['token', 'Token']) {
    await server.inject({ method: 'GET', url: `${stream.path}?plan_id=11&game_id=1&${name}=t` })
  }
  expect(callers).toEqual([null, null])
})

it('writes an event as its name and one line of data, those of its opening after the first line', async () => {
  const held: { send?: (event: 'round', json: string) => void } = {}
  const { server, ask } = await serve(async (_caller, _input, send) => {
    held.send = send as never
    send('round', '{"issue":"1"}')
    return () => {}
  })
  const response = await ask()
  held.send?.('round', '{"issue":"2"}')
  await server.close()
  held.send?.('round', '{"late":true}')
  expect(await response.text()).toBe(
    ': open\n\nevent: round\ndata: {"issue":"1"}\n\nevent: round\ndata: {"issue":"2"}\n\n',
  )
})
