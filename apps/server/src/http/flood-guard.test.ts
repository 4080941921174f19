import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bareServer } from '#testing/product/served-routes.ts'
import { eventually } from '#testing/requests/patience.ts'
import { limitConnections, REQUESTS_AT_ONCE } from './flood-guard.ts'
import type { HttpOptions } from './server.ts'

/** How a request with a body of JSON begins. */
const HEAD = 'POST /api/call HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** A server with one call, which returns its input. */
async function serve(options: Partial<HttpOptions> = {}) {
  const read: unknown[] = []
  const server = await bareServer(options)
  server.post('/api/call', async (request) => {
    read.push(request.body)
    return { taken: true }
  })
  server.get('/api/look', async () => ({ seen: true }))
  server.get('/beacon/one', async () => ({ round: 1 }))
  return { server, read }
}

async function listening(options: Partial<HttpOptions> = {}) {
  const { server, read } = await serve(options)
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  return { server, read, port: Number(port) }
}

/** Opens a connection and sends the given data, and nothing else. */
function begin(port: number, sent: string, localAddress = '127.0.0.1') {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
  const state = { received: '', closed: false }
  socket.on('data', (chunk: Buffer) => {
    state.received += chunk
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    state.closed = true
  })
  socket.write(sent)
  onTestFinished(() => {
    socket.destroy()
  })
  return { socket, state }
}

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('a network that calls too often', () => {
  it('is refused before its bodies are read, for calls, screens and missing pages, however many IPv6 addresses it has', async () => {
    const { server, read } = await serve({ requestsAMinute: 5 })
    const post = (url: string, payload: string, address: string) =>
      server.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/json', ...from(address) },
      })
    for (let n = 0; n < 5; n += 1) {
      expect((await post('/api/call', '{"n":1}', `2001:db8:1:2::${n}`)).statusCode).toBe(200)
    }
    // A malformed body would get 400 if it were read, and an unknown path 404.
    for (const url of ['/api/call', '/api/none', '/hall', '/api/none/%zz']) {
      const reply = await post(url, '{ broken', '2001:db8:1:2::9')
      expect([url, reply.statusCode, reply.json().data.reason]).toEqual([
        url,
        429,
        'too_many_requests',
      ])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
    expect(read).toHaveLength(5)
    expect((await post('/api/call', '{ broken', '203.0.113.2')).statusCode).toBe(400)
  })

  it.each([
    ['10.0.0.0/8,127.0.0.1', 200],
    ['127.0.0.1', 429],
    ['10.0.0.0/8', 429],
    ['', 429],
  ])('is told from others by proxies in "%s", and by no other', async (proxies, status) => {
    const trustedProxies = proxies.split(',').filter((each) => each !== '')
    const { server } = await serve({ requestsAMinute: 2, trustedProxies })
    const ask = async (address: string) =>
      (await server.inject({ url: '/api/look', headers: from(address) })).statusCode
    for (let n = 0; n < 2; n += 1) await ask(`203.0.113.${n}, 203.0.113.10, 10.1.2.3`)
    expect(await ask('203.0.113.0, 203.0.113.10, 10.1.2.3')).toBe(429)
    expect(await ask('203.0.113.0, 203.0.113.11, 10.1.2.3')).toBe(status)
  })

  it('gets no answer after the same number of refusals, if it calls without a proxy', async () => {
    const { port } = await listening({ requestsAMinute: 3, trustedProxies: [] })
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/api/look`).then(
        ({ status }) => status,
        () => 'hung up',
      )
    const all = []
    for (let n = 0; n < 8; n += 1) all.push(await ask())
    expect(all).toEqual([200, 200, 200, 429, 429, 429, 'hung up', 'hung up'])
  })

  it('never keeps the server from its own beacon', async () => {
    const { port } = await listening({ requestsAMinute: 3 })
    const ask = async (path: string, headers = {}) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
    for (let n = 0; n < 4; n += 1) await ask('/api/look')
    expect(await ask('/api/look')).toBe(429)
    expect(await ask('/beacon/one')).toBe(200)
    for (let n = 0; n < 3; n += 1) await ask('/beacon/one', from('203.0.113.1'))
    expect(await ask('/beacon/one', from('203.0.113.1'))).toBe(429)
  })
})

describe('an incomplete request', () => {
  const patience = { head: 150, body: 300, silence: 60_000, look: 50 }

  it.each([
    ['its head', 'POST /api/call HTTP/1.1\r\nHost: x\r\nContent-'],
    ['its body', `${HEAD}Content-Length: 10\r\n\r\n{"a":`],
    ['a body of pieces', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('that stops in %s is ended', async (_name, sent) => {
    const { port, read } = await listening({ patience })
    const { state } = begin(port, sent)
    await eventually(() => state.closed)
    expect(state.received).toMatch(/^HTTP\/1\.1 408 /)
    expect(read).toEqual([])
  })

  it('that was answered already is not awaited', async () => {
    const { port } = await listening()
    const { state } = begin(port, `${HEAD.replace('call', 'none')}Content-Length: 99999\r\n\r\n{`)
    await eventually(() => state.received.includes('too_large'))
    await eventually(() => state.closed)
  })

  it('is ended if no data arrives', async () => {
    const { port } = await listening({ patience: { ...patience, body: 0, head: 0, silence: 100 } })
    const { state } = begin(port, `${HEAD}Content-Length: 10\r\n\r\n{`)
    await eventually(() => state.closed)
  })

  it('has a short head, and is told what to do if it is longer', async () => {
    const { port } = await listening()
    const { state } = begin(port, `GET /api/look HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}`)
    await eventually(() => state.closed)
    expect(state.received).toMatch(/^HTTP\/1\.1 431 .*delete the cookies of this address/s)
  })
})

describe('connections', () => {
  it('are limited for one network, independently of another', async () => {
    const { server, port } = await listening()
    limitConnections(server.server, [], { ofNetwork: 2, inAll: 100 })
    const first = [begin(port, ''), begin(port, '')]
    const ask = 'GET /api/look HTTP/1.1\r\nHost: x\r\n\r\n'
    const third = begin(port, ask)
    await eventually(() => third.state.closed)
    expect(third.state.received).toBe('')
    const other = begin(port, ask, '127.0.0.2')
    await eventually(() => other.state.received.includes('seen'))
    first[0]?.socket.destroy()
    await eventually(async () => {
      const again = begin(port, ask)
      await eventually(() => again.state.received.includes('seen') || again.state.closed)
      return again.state.received.includes('seen')
    })
  })

  it('of a proxy of ours are not counted, because many clients share them', async () => {
    const { server, port } = await listening({ trustedProxies: [] })
    limitConnections(server.server, ['127.0.0.0/30'], { ofNetwork: 1, inAll: 100 })
    const ask = 'GET /api/look HTTP/1.1\r\nHost: x\r\n\r\n'
    const all = [1, 2, 3, 4].map(() => begin(port, ask, '127.0.0.2'))
    for (const { state } of all) await eventually(() => state.received.includes('seen'))
  })
})

describe('requests that are under way', () => {
  it('are limited for one network behind a proxy of ours, independently of another', async () => {
    const { port } = await listening({ requestsAMinute: 10_000 })
    const ask = async (address: string) =>
      (await fetch(`http://127.0.0.1:${port}/api/look`, { headers: from(address) })).status
    const half = `${HEAD}X-Forwarded-For: 203.0.113.1\r\nContent-Length: 10\r\n\r\n{`
    const halves = Array.from({ length: REQUESTS_AT_ONCE }, () => begin(port, half))
    await eventually(async () => (await ask('203.0.113.1')) === 429)
    expect(await ask('203.0.113.2')).toBe(200)
    halves[0]?.socket.destroy()
    await eventually(async () => (await ask('203.0.113.1')) === 200)
  })
})
