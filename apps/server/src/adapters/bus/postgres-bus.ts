/** The event bus on PostgreSQL's LISTEN/NOTIFY: one connection that listens and notifies, and reconnects. */
import pg from 'pg'
import type { Bus, BusEvent } from './bus.ts'
import { eventTexts, newSender, parseEvents } from './event-text.ts'

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
