/**
 * A light HTTP client for measurements, in a process of its own: each client is one kept connection with one
 * request on it at a time. http-load.ts starts it and sends it one {@link Load} at a time.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuTimes } from './cpu-times.ts'

/** How often arrivals at a fixed rate are due, in milliseconds. */
const TICK_MS = 2

/** Fewer than wait at a listening socket. */
const OPENED_AT_ONCE = 400

/** Kinds of wrong answers that are told apart. */
const FAULTS_MAX = 20

const HEAD_END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)

/** What is sent, to a server on this machine. */
export type Load = {
  port: number
  path: string
  /** Kept connections, each with one request on it at a time. */
  clients: number
  /** Client n sends those at n, n + clients … in turn. At least one for each client. */
  requests: readonly { token: string; body: string }[]
  /** Whether each request carries a new idempotency key. */
  keyed: boolean
  /** Requests a second that arrive whatever the answers (open loop); null: as fast as they are answered. */
  ratePerSecond: number | null
  /** Whether a request that is due is given up if no connection is free; it waits for one unless told. */
  givesUp?: boolean
  /** Milliseconds before anything is counted, and those that are counted. */
  warmUpMs: number
  forMs: number
  /** How long the windows are that waits are told of besides; none unless told. */
  windowMs?: number
  /** Processes whose processor time is told; with `all`, with their children. */
  watched: Record<string, { pid: number; all?: boolean }>
}

export type LoadResult = Awaited<ReturnType<typeof run>>

type Client = {
  socket: Socket
  /** Of each request, the bytes before and after the idempotency key. */
  requests: Buffer[][]
  turn: number
  /** When the request under way was due, in milliseconds; null while there is none. */
  since: number | null
}

type Hears = { answered(client: Client, answer: Buffer): void; closed(client: Client): void }

process.on('message', async (load: Load) => process.send?.(await run(load)))
process.on('disconnect', () => process.exit(0))

async function run(load: Load) {
  if (!Number.isInteger(load.clients) || load.clients < 1) {
    throw new Error(`a load has a whole number of connections, not ${load.clients}`)
  }
  const waits: number[] = []
  const windows: number[][] = []
  const faults: Record<string, number> = {}
  const idle: Client[] = []
  const due: number[] = []
  /** Of these, how many are sent: `shift` of a long array takes a tenth of a millisecond. */
  let dueSent = 0
  const keysBegin = randomBytes(12).toString('hex')
  let keys = 0
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
    client.socket.cork()
    client.socket.write(head)
    if (load.keyed) {
      keys += 1
      client.socket.write(`${keysBegin}-${keys}`)
      client.socket.write(tail)
    }
    client.socket.uncork()
  }

  function answered(client: Client, answer: Buffer): void {
    const now = performance.now()
    const wait = now - (client.since ?? now)
    client.since = null
    if (isSuccess(answer)) {
      accepted += 1
      sample ||= answer.toString('utf8')
      if (counting) {
        waits.push(wait)
        bytes += answer.length
        if (load.windowMs) {
          const position = Math.floor((now - from) / load.windowMs)
          windows[position] ??= []
          windows[position].push(wait)
        }
      }
    } else if (!isRefusedForNow(answer)) fault(kindOf(answer))
    if (ended) return
    const next = load.ratePerSecond === null ? now : due[dueSent]
    if (next === undefined) idle.push(client)
    else {
      dueSent += 1
      send(client, next)
    }
  }

  function fault(kind: string): void {
    const isCounted = kind in faults || Object.keys(faults).length < FAULTS_MAX
    const name = isCounted ? kind : 'others'
    faults[name] = (faults[name] ?? 0) + 1
  }

  function closed(client: Client): void {
    if (ended) return
    client.since = null
    fault('the connection was closed')
  }

  const clients = await openAll(load, { answered, closed })
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
        else if (!load.givesUp) due.push(at)
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
    /** Successes also before and after the time that is counted. */
    accepted,
    /** What all idempotency keys of this load begin with. */
    keysBegin,
    /** One answer, with its head. */
    sample,
    /** Other answers, by status and beginning, and connections that were closed. */
    faults,
    /** Successes. */
    answers: waits.length,
    perSecond: waits.length / (ms / 1000),
    ...quantiles(waits),
    /** When counting began and ended, in milliseconds since 1970. */
    from: performance.timeOrigin + from,
    until: performance.timeOrigin + from + ms,
    windows: Array.from({ length: Math.floor(ms / windowMs) }, (_, position) => ({
      ...quantiles(windows[position] ?? []),
      until: performance.timeOrigin + from + (position + 1) * windowMs,
    })),
    /** Bytes of an answer with its head, on average. */
    bytesOfAnswer: bytes / waits.length,
    /** Processors that each watched process and the generator kept busy: 1 is one whole processor. */
    cpuShare: Object.fromEntries(
      Object.entries(after).map(([name, ends]) => [name, (ends - (before[name] ?? 0)) / ms]),
    ),
  }
}

/** Of milliseconds from when a request was due until it was answered with success. */
function quantiles(waits: readonly number[]): { p50: number; p99: number } {
  const sorted = [...waits].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

function cpuOf(watched: Load['watched']): Record<string, number> {
  const { user, system } = process.cpuUsage()
  return { ...cpuTimes(watched), generator: (user + system) / 1e3 }
}

/** Opens the connections, so many at a time as a server takes without losing any. */
async function openAll(load: Load, hears: Hears): Promise<Client[]> {
  const clients: Client[] = []
  while (clients.length < load.clients) {
    const first = clients.length
    const length = Math.min(OPENED_AT_ONCE, load.clients - first)
    const opening = Array.from({ length }, (_, at) => open(load, first + at, hears))
    clients.push(...(await Promise.all(opening)))
  }
  return clients
}

function open(load: Load, index: number, { answered, closed }: Hears): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true })
    const client: Client = { socket, requests: requestsOf(load, index), turn: 0, since: null }
    let unread: Buffer = NOTHING
    socket.on('connect', () => resolve(client))
    socket.on('error', reject)
    socket.on('close', () => closed(client))
    socket.on('data', (chunk: Buffer) => {
      const data = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
      const isWhole = data.length >= lengthOf(data)
      unread = isWhole ? NOTHING : data
      if (isWhole) answered(client, data)
    })
  })
}

/** The requests that a client sends in turn. */
function requestsOf({ path, port, requests, clients, keyed }: Load, index: number): Buffer[][] {
  return requests
    .filter((_, position) => position % clients === index)
    .map(({ token, body }) => {
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `Token: ${token}`,
      ].join('\r\n')
      const tail = `\r\n\r\n${body}`
      const parts = keyed ? [`${head}\r\nIdempotency-Key: `, tail] : [head + tail]
      return parts.map((part) => Buffer.from(part))
    })
}

/** Bytes of the answer that begins here; infinite while its head is not there. */
function lengthOf(data: Buffer): number {
  const end = data.indexOf(HEAD_END)
  if (end < 0) return Number.POSITIVE_INFINITY
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
