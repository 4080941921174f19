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

/** Fewer than wait at a listening socket. */
const OPENED_AT_ONCE = 400

/** Kinds of wrong answers that are told apart. */
const FAULTS_MAX = 20

const HEAD_END = Buffer.from('\r\n\r\n')

/** Waits of the answers of a short while, in milliseconds. */
type Window = number[]

type Client = {
  socket: Socket
  requests: Buffer[][]
  turn: number
  /** When the request under way was due, in milliseconds; null while there is none. */
  since: number | null
  unread: Buffer | null
}

/** When requests were due that wait for a connection. `shift` of an array moves all that are left: a tenth of a millisecond. */
class Arrivals {
  #times: number[] = []
  #first = 0

  add(time: number): void {
    this.#times.push(time)
  }

  takeFirst(): number | undefined {
    const time = this.#times[this.#first]
    if (time === undefined) {
      this.#times = []
      this.#first = 0
    } else this.#first += 1
    return time
  }
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
  if (!Number.isInteger(load.clients) || load.clients < 1) {
    throw new Error(`a load has a whole number of connections, not ${load.clients}`)
  }
  const waits: number[] = []
  const windows: Window[] = []
  const faults: Record<string, number> = {}
  const idle: Client[] = []
  const due = new Arrivals()
  const run = randomBytes(12).toString('hex')
  const patienceMs = load.patienceMs ?? Number.POSITIVE_INFINITY
  let keys = 0
  let refused = 0
  let givenUp = 0
  let accepted = 0
  let bytes = 0
  let sample = ''
  let counting = false
  let ended = false
  /** When counting began. */
  let from = 0

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
    const wait = now - (client.since ?? now)
    client.since = null
    if (isSuccess(answer)) {
      accepted += 1
      if (sample === '') sample = answer.toString('utf8')
      if (counting) {
        waits.push(wait)
        bytes += answer.length
        if (load.windowMs) windowAt(now).push(wait)
      }
    } else if (isRefusedForNow(answer)) {
      if (counting) refused += 1
    } else fault(kindOf(answer))
    if (ended) return
    const next = load.ratePerSecond === null ? now : nextDue(now)
    if (next === undefined) idle.push(client)
    else send(client, next)
  }

  /** When the request was due that has waited longest for a connection and is not given up. */
  function nextDue(now: number): number | undefined {
    let next = due.takeFirst()
    for (; next !== undefined && now - next > patienceMs; next = due.takeFirst()) {
      if (counting) givenUp += 1
    }
    return next
  }

  function fault(kind: string): void {
    const isCounted = kind in faults || Object.keys(faults).length < FAULTS_MAX
    const name = isCounted ? kind : 'others'
    faults[name] = (faults[name] ?? 0) + 1
  }

  function windowAt(now: number): Window {
    const position = Math.floor((now - from) / (load.windowMs ?? Number.NaN))
    windows[position] ??= []
    return windows[position]
  }

  function closed(client: Client): void {
    if (ended) return
    client.since = null
    fault('the connection was closed')
  }

  const clients = await openAll(load, answered, closed)
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
        else due.add(at)
      }
    }, TICK_MS)
  }

  await pause(load.warmUpMs)
  const before = cpuOf(load.watched)
  from = performance.now()
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

  const windowMs = load.windowMs ?? ms
  return {
    answers: waits.length,
    perSecond: waits.length / (ms / 1000),
    ...quantiles(waits),
    refused,
    givenUp,
    accepted,
    keysBegin: run,
    from: performance.timeOrigin + from,
    until: performance.timeOrigin + from + ms,
    windows: Array.from({ length: Math.floor(ms / windowMs) }, (_, position) => ({
      ...quantiles(windows[position] ?? []),
      answers: windows[position]?.length ?? 0,
      until: performance.timeOrigin + from + (position + 1) * windowMs,
    })),
    bytesOfAnswer: bytes / waits.length,
    sample,
    faults,
    cpuShare: Object.fromEntries(
      Object.entries(after).map(([name, ends]) => [name, (ends - (before[name] ?? 0)) / ms]),
    ),
  }
}

function quantiles(waits: readonly number[]): { p50: number; p99: number; worst: number } {
  const sorted = [...waits].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), worst: at(1) }
}

function cpuOf(watched: Load['watched']): CpuTimes {
  return {
    ...cpuTimes(watched),
    generator: process.cpuUsage().user / 1e3 + process.cpuUsage().system / 1e3,
  }
}

/** Opens the connections, so many at a time as a server takes without losing any. */
async function openAll(load: Load, ...handlers: [Answered, Closed]): Promise<Client[]> {
  const clients: Client[] = []
  while (clients.length < load.clients) {
    const more = Math.min(OPENED_AT_ONCE, load.clients - clients.length)
    const first = clients.length
    const opening = Array.from({ length: more }, (_, position) =>
      open(load, first + position, ...handlers),
    )
    clients.push(...(await Promise.all(opening)))
  }
  return clients
}

type Answered = (client: Client, answer: Buffer) => void
type Closed = (client: Client) => void

function open(load: Load, index: number, answered: Answered, closed: Closed): Promise<Client> {
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
    socket.on('close', () => closed(client))
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
    .filter((_, position) => position % clients === index)
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

/** Refused because of the load, with the time after which the client may come again. */
function isRefusedForNow(answer: Buffer): boolean {
  const head = answer.toString('latin1', 0, answer.indexOf(HEAD_END))
  return /^HTTP\/1.1 (429|503)/.test(head) && /\r\nretry-after: \d/i.test(head)
}

function kindOf(answer: Buffer): string {
  const text = answer.toString('latin1')
  return `${text.slice(9, 12)} ${text.slice(text.indexOf('\r\n\r\n') + 4).slice(0, 160)}`
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
