/**
 * Events between processes, by PostgreSQL's LISTEN/NOTIFY: one connection that listens and notifies, and reconnects.
 *
 * An event says that something changed, and where, but not what: its receiver reads the database. Events may be lost,
 * repeated or late. That costs freshness and never correctness, so no part may depend on them: every receiver also
 * polls from time to time.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import * as z from 'zod'

const CHANNEL = 'sum28_news'

/** How long events are collected: a commit that notifies takes a lock shared by all notifying commits. */
const GATHER_MS = 25

const RECONNECT_MS = 1_000

/** A connection that does not answer for this time is replaced by another. */
const ANSWER_WITHIN_MS = 10_000

/**
 * Listens on a database, and retries while the database is down.
 *
 * @param onLost called each time that the connection is lost, or cannot be made at first
 */
export function postgresBus(
  url: string,
  onLost: (error: Error) => void = () => {},
  { answerWithinMs = ANSWER_WITHIN_MS }: { answerWithinMs?: number } = {},
): Bus {
  const sender = newSender()
  const receivers = new Set<(event: BusEvent) => void>()
  let client: pg.Client | null = null
  let gathered: BusEvent[] = []
  let gathering: NodeJS.Timeout | null = null
  let retrying: NodeJS.Timeout | null = null
  let closed = false
  let away = false

  function deliver(event: BusEvent): void {
    for (const receive of receivers) receive(event)
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
      query_timeout: answerWithinMs,
      application_name: 'sum28 bus',
    })
    let gone = false
    const lost = (error?: Error) => {
      if (gone) return
      gone = true
      if (client === fresh) client = null
      fresh.end().catch(() => {})
      if (closed) return
      if (!away) onLost(error ?? new Error('the connection ended'))
      away = true
      retrying = setTimeout(() => {
        connecting = connect()
      }, RECONNECT_MS)
    }
    fresh.on('error', lost)
    fresh.on('end', () => lost())
    fresh.on('notification', ({ payload = '' }) => {
      const received = parseEvents(payload)
      if (!received || received.from === sender) return
      for (const event of received.events) deliver(event)
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
      if (closed) await fresh.end()
      else if (!gone) {
        client = fresh
        away = false
      }
    } catch (error) {
      lost(error as Error)
    }
  }

  /** Sends the collected events, one statement after the other. Events that arrive meanwhile are sent next time. */
  async function send(): Promise<void> {
    const texts = eventTexts(sender, gathered.splice(0))
    for (const text of texts) {
      // These events are lost. If the connection is dead, its end is reported separately.
      const sending = client
      await sending
        ?.query('select pg_notify($1, $2)', [CHANNEL, text])
        .catch(() => sending.end().catch(() => {}))
    }
    gathering = gathered.length > 0 && !closed ? setTimeout(() => void send(), GATHER_MS) : null
  }

  let connecting = connect()
  return {
    publish(events) {
      for (const event of events) deliver(event)
      if (closed || events.length === 0) return
      gathered.push(...events)
      gathering ??= setTimeout(() => void send(), GATHER_MS)
    },
    subscribe(receive) {
      receivers.add(receive)
      return () => receivers.delete(receive)
    },
    async close() {
      closed = true
      if (gathering) clearTimeout(gathering)
      if (retrying) clearTimeout(retrying)
      gathered = []
      await connecting
      const closing = client
      client = null
      await closing?.end().catch(() => {})
    },
  }
}

/**
 * `betsPlaced`: new bets in this room. `roundChanged`: a round of this game was opened, sealed, drawn or settled, or
 * something in it was stopped or set. `clockMoved`: the database's clock was set, as tests do; the id says nothing.
 */
export type BusEvent = {
  readonly topic: 'betsPlaced' | 'roundChanged' | 'clockMoved'
  readonly id: number
}

export type Bus = {
  /** Delivers at once in this process, and soon in the others. Never fails or blocks. */
  publish(events: readonly BusEvent[]): void
  /** @returns the function that ends the subscription */
  subscribe(receive: (event: BusEvent) => void): () => void
  close(): Promise<void>
}

/** A message between processes: `{"from":"1f…","news":["betsPlaced:11","roundChanged:1"]}`. */
const message = z.object({ from: z.string(), news: z.array(z.string()) })

/** The most items in one message: PostgreSQL carries less than 8,000 bytes. */
const ITEMS_MAX = 300

/** An identifier for one process, so that it ignores its own events. */
function newSender(): string {
  return randomBytes(8).toString('hex')
}

/** The messages that carry these events, each event once. */
export function eventTexts(from: string, events: readonly BusEvent[]): string[] {
  const items = [...new Set(events.map(({ topic, id }) => `${topic}:${id}`))]
  const texts: string[] = []
  for (let first = 0; first < items.length; first += ITEMS_MAX) {
    texts.push(JSON.stringify({ from, news: items.slice(first, first + ITEMS_MAX) }))
  }
  return texts
}

/** The events of a message, or nothing if it is not one of ours: anybody may notify on a database. */
export function parseEvents(text: string): { from: string; events: BusEvent[] } | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  const checked = message.safeParse(parsed)
  if (!checked.success) return null
  const events = checked.data.news.flatMap((item): BusEvent[] => {
    const [, topic, id] = /^(betsPlaced|roundChanged|clockMoved):(\d{1,9})$/.exec(item) ?? []
    return topic && id ? [{ topic: topic as BusEvent['topic'], id: Number(id) }] : []
  })
  return { from: checked.data.from, events }
}
