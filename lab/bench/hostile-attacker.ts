/**
 * A hostile client: sends as fast as it can, in its own process. hostile.bench.ts starts it with the kind of attack,
 * the port, its addresses, the beacon's hash, and tokens if any. Its addresses are one of this machine; or `named`:
 * all of one /48, which it names as a proxy would; or `own`: all of one /48, from which it connects.
 */
import { Agent, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf } from './balancer.ts'

const [kind = '', port = '', addresses = '', beacon = '', ...tokens] = process.argv.slice(2)

type Source = { host: string; localAddress: string; headers: Record<string, string> }

/** Where the n-th request comes from. */
function sourceOf(n: number): Source {
  if (addresses === 'own') return { host: '::1', localAddress: addressOf(n), headers: {} }
  const named = addresses === 'named'
  return {
    host: '127.0.0.1',
    localAddress: named ? '127.0.0.1' : addresses,
    headers: named ? { 'X-Forwarded-For': addressOf(n) } : {},
  }
}

let sources = 0

/** Requests at the same time. */
const AT_ONCE = 64

const agent =
  addresses === 'own' ? new Agent() : new Agent({ keepAlive: true, maxSockets: AT_ONCE })
const answers: Record<string, number> = {}
const count = (answer: string) => {
  answers[answer] = (answers[answer] ?? 0) + 1
}

type Sent = Pick<RequestOptions, 'method' | 'path' | 'headers'> & { body?: string | Buffer }

/** Sends one request and reads the whole answer. */
function send({ body, ...options }: Sent): Promise<void> {
  return new Promise((done) => {
    const { headers, ...from } = sourceOf(sources++)
    const all = { ...from, port, agent, ...options, headers: { ...options.headers, ...headers } }
    const sent = request(all, (reply) => {
      count(String(reply.statusCode))
      reply.resume()
      reply.on('close', done)
    })
    sent.on('error', () => {
      count('hung up')
      done()
    })
    sent.setTimeout(20_000, () => sent.destroy())
    sent.end(body)
  })
}

/** Repeats a request, `atOnce` at a time. */
async function again(make: (n: number) => Sent, atOnce = AT_ONCE): Promise<void> {
  let n = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (;;) {
        n += 1
        await send(make(n))
        // After the server has closed the connection, a new one costs the attacker a moment.
        await new Promise(setImmediate)
      }
    }),
  )
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const post = (path: string, body: string): Sent => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, 'Content-Length': Buffer.byteLength(body), Token: tokens[0] ?? '' },
  body,
})

const TEXT_64_KB = JSON.stringify('x'.repeat(64 * 1024 - 2))
const TEXT_4_KB = JSON.stringify('x'.repeat(4_000))
const DEEP = '['.repeat(2_040) + ']'.repeat(2_040)

/** Opens connections as fast as they are accepted, sends something on each, and keeps them open. */
async function hold(most: number, first: string, then: string | null): Promise<void> {
  let open = 0
  for (;;) {
    if (open >= most) {
      await sleep(50)
      continue
    }
    open += 1
    const { host, localAddress, headers } = sourceOf(sources++)
    const socket = connect({ host, port: Number(port), localAddress })
    const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.on('connect', () =>
      socket.write(first.replace('Host: x\r\n', `Host: x\r\n${named.join('')}`)),
    )
    const more = then && setInterval(() => socket.write(then), 1_000)
    socket.on('data', (data: Buffer) => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1]
      if (status) count(status)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open -= 1
      count('closed')
      if (more) clearInterval(more)
    })
    if (open % 32 === 0) await sleep(1)
  }
}

const head = (...lines: string[]) => `${['', 'Host: x', ...lines, ''].join('\r\n').slice(2)}\r\n`

function picture(n: number): Sent {
  const boundary = 'harm'
  // The header of a picture with many pixels, then noise up to the accepted size.
  const bytes = Buffer.alloc(5 * 1024 * 1024 - 1_000, n)
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108271027100301', 'hex').copy(bytes)
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': body.length,
    Token: tokens[n % tokens.length] ?? '',
  }
  return { method: 'POST', path: '/api/Common/upload', headers, body }
}

/** What costs strangers little and the server much: passwords to hash, accounts, large answers. */
function costly(n: number): Sent {
  const name = `hostile_${process.pid}_${n}`
  const password = 'a long enough passphrase'
  if (n % 4 === 0)
    return { method: 'GET', path: `/api/index/articleList?lang=en&category_id=${n % 9}` }
  if (n % 4 === 1)
    return post('/api/user/register', JSON.stringify({ username: name, password, group_id: 2 }))
  if (n % 4 === 2) return post('/api/Lottery/index', '{}')
  return post('/api/user/login', JSON.stringify({ account: name, password }))
}

const ATTACKS: Record<string, () => Promise<void>> = {
  'costly calls': () => again(costly),
  'silent connections': () => hold(3_000, 'GET / HTTP/1.1\r\nHost: x\r\n', null),
  'large bodies': () =>
    again((n) => post(n % 2 ? '/api/user/login' : '/api/none', n % 3 ? TEXT_64_KB : TEXT_4_KB)),
  'deep arrays': () =>
    again((n) => post(n % 2 ? '/api/Lottery/playOrder' : '/api/Lottery/index', DEEP)),
  'unknown paths': () =>
    again((n) => ({ method: 'GET', path: `/api/none/${n}?${'a=1&'.repeat(400)}` })),
  'slow bodies': () =>
    hold(
      3_000,
      `POST /api/user/login HTTP/1.1\r\n${head('Content-Type: application/json', 'Content-Length: 4000')}{`,
      ' ',
    ),
  'thousands of streams': () =>
    hold(3_000, `GET /api/Lottery/gamesStream HTTP/1.1\r\n${head()}`, null),
  pictures: () => again(picture, 60),
  tables: () =>
    again(() => ({
      method: 'GET',
      path: '/api/user/orderCsv?begin_date=2026-01-01&end_date=2026-12-31',
      headers: { Token: tokens[0] ?? '' },
    })),
  'past values of the beacon': () =>
    again((n) => ({ method: 'GET', path: `/beacon/${beacon}/public/${(n % 1_200) + 1}` })),
}

process.on('message', () => process.send?.(answers))
process.on('disconnect', () => process.exit(0))
await ATTACKS[kind]?.()
