/**
 * A light HTTP client for measurements, in a process of its own: each client is one kept connection with one
 * request on it at a time. http-load.ts starts it and sends it one {@link Load} at a time.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type CpuTimes, cpuTimes } from './cpu-times.ts'
import type { Load, LoadResult } from './http-load.ts'

/** How often arrivals at a fixed rate are due, in milliseconds. */
const TICK_MS = 2

/** Kinds of wrong answers that are told apart. */
const FAULTS_MAX = 20

const HEAD_END = Buffer.from('\r\n\r\n')

type Client = {
  socket: Socket
  requests: Buffer[][]
  turn: number
  /** When the request under way was due, in milliseconds; null while there is none. */
  since: number | null
  unread: Buffer | null
}

process.on('message', (load: Load) => {
  void run(load).then(
    (result) => process.send?.(result),
    (error: Error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))

async function run(load: Load): Promise<LoadResult> {
  const waits: number[] = []
  const faults: Record<string, number> = {}
  const idle: Client[] = []
  const due: number[] = []
  const run = randomBytes(12).toString('hex')
  let keys = 0
  let bytes = 0
  let sample = ''
  let counting = false
  let ended = false

  function send(client: Client, since: number): void {
    const [head, tail] = client.requests[client.turn % client.requests.length] as [Buffer, Buffer]
    client.turn += 1
    client.since = since
    if (load.keyed) {
      keys += 1
      client.socket.cork()
      client.socket.write(head)
      client.socket.write(`${run}-${keys}`)
      client.socket.write(tail)
      client.socket.uncork()
    } else {
      client.socket.write(head)
    }
  }

  function answered(client: Client, answer: Buffer): void {
    const now = performance.now()
    if (counting && client.since !== null) {
      waits.push(now - client.since)
      bytes += answer.length
    }
    client.since = null
    if (!isSuccess(answer)) {
      const text = answer.toString('latin1')
      const kind = `${text.slice(9, 12)} ${text.slice(text.indexOf('\r\n\r\n') + 4).slice(0, 160)}`
      const known = kind in faults || Object.keys(faults).length < FAULTS_MAX
      const name = known ? kind : 'others'
      faults[name] = (faults[name] ?? 0) + 1
    } else if (sample === '') sample = answer.toString('utf8')
    if (ended) return
    const next = load.ratePerSecond === null ? now : due.shift()
    if (next === undefined) idle.push(client)
    else send(client, next)
  }

  const clients = await Promise.all(
    Array.from({ length: load.clients }, (_, index) => open(load, index, answered)),
  )
  const beganAt = performance.now()
  const rate = load.ratePerSecond
  let arrivals: NodeJS.Timeout | undefined
  if (rate === null) {
    for (const client of clients) send(client, performance.now())
  } else {
    idle.push(...clients)
    let arrived = 0
    arrivals = setInterval(() => {
      const now = performance.now()
      for (; beganAt + (arrived * 1000) / rate <= now; arrived += 1) {
        const at = beganAt + (arrived * 1000) / rate
        const client = idle.shift()
        if (client) send(client, at)
        else due.push(at)
      }
    }, TICK_MS)
  }

  await pause(load.warmUpMs)
  const before = cpuOf(load.watched)
  const from = performance.now()
  counting = true
  await pause(load.forMs)
  counting = false
  const ms = performance.now() - from
  const after = cpuOf(load.watched)
  ended = true
  clearInterval(arrivals)
  // What is under way is answered, so that the next load begins with nothing left over.
  const end = performance.now() + 10_000
  while (clients.some(({ since }) => since !== null) && performance.now() < end) await pause(10)
  for (const { socket } of clients) socket.destroy()

  waits.sort((a, b) => a - b)
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]
  return {
    answers: waits.length,
    perSecond: waits.length / (ms / 1000),
    p50: at(0.5) ?? Number.NaN,
    p99: at(0.99) ?? Number.NaN,
    worst: waits.at(-1) ?? Number.NaN,
    bytesOfAnswer: bytes / waits.length,
    sample,
    faults,
    waitingAtEnd: due.length,
    cpuShare: Object.fromEntries(
      Object.entries(after).map(([name, ends]) => [name, (ends - (before[name] ?? 0)) / ms]),
    ),
  }
}

function cpuOf(watched: Load['watched']): CpuTimes {
  return {
    ...cpuTimes(watched),
    generator: process.cpuUsage().user / 1e3 + process.cpuUsage().system / 1e3,
  }
}

function open(
  load: Load,
  index: number,
  answered: (client: Client, answer: Buffer) => void,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true })
    const client: Client = {
      socket,
      requests: requestsOf(load, index),
      turn: 0,
      since: null,
      unread: null,
    }
    socket.on('connect', () => resolve(client))
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      const data = client.unread ? Buffer.concat([client.unread, chunk]) : chunk
      const length = lengthOf(data)
      if (length === null || data.length < length) {
        client.unread = data
        return
      }
      client.unread = null
      answered(client, data)
    })
  })
}

/** The requests that a client sends in turn: the bytes before and after the idempotency key. */
function requestsOf({ path, port, requests, clients, keyed }: Load, index: number): Buffer[][] {
  return requests
    .filter((_, place) => place % clients === index)
    .map(({ token, body }) => {
      const lines = [
        `POST ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `Token: ${token}`,
      ]
      const head = keyed ? `${lines.join('\r\n')}\r\nIdempotency-Key: ` : lines.join('\r\n')
      const tail = `\r\n\r\n${body}`
      return keyed ? [Buffer.from(head), Buffer.from(tail)] : [Buffer.from(head + tail)]
    })
}

/** Bytes of the answer that begins here; null while its head is not there. */
function lengthOf(data: Buffer): number | null {
  const end = data.indexOf(HEAD_END)
  if (end < 0) return null
  const head = data.toString('latin1', 0, end)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer has no length: ${head}`)
  return end + HEAD_END.length + Number(length)
}

function isSuccess(answer: Buffer): boolean {
  const body = answer.indexOf(HEAD_END) + HEAD_END.length
  return (
    answer.toString('latin1', 9, 12) === '200' &&
    answer.toString('latin1', body, body + 9) === '{"code":1'
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}
