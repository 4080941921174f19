/**
 * The event bus on NATS, for several machines: plain publish and subscribe. A process that is disconnected misses
 * events.
 */
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node'
import { type Bus, localSubscribers } from './bus.ts'
import { eventTexts, newSender, parseEvents } from './event-text.ts'

/** Products that share a NATS server receive each other's events; each one costs an unneeded read. */
const SUBJECT = 'sum28.news'

const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** A server that does not answer two of these pings in a row counts as lost. */
const PING_MS = 5_000

/**
 * Connects to a NATS server, and retries while the server is down.
 *
 * @param url `nats://` or `tls://`, with user and password, or a token as the user, where needed
 * @param onLost called each time that the connection is lost, or cannot be made at first
 */
export function natsBus(url: string, onLost: (error: Error) => void = () => {}): Bus {
  const sender = newSender()
  const local = localSubscribers()
  let connection: NatsConnection | null = null
  let retrying: NodeJS.Timeout | null = null
  let closed = false
  let away = false

  function lost(error: Error): void {
    connection = null
    if (closed) return
    if (!away) onLost(error)
    away = true
    retrying = setTimeout(() => {
      connecting = join()
    }, RECONNECT_MS)
  }

  async function join(): Promise<void> {
    try {
      const fresh = await connect(optionsOf(url))
      if (closed) return await fresh.close()
      fresh.subscribe(SUBJECT, {
        callback: (_error, message) => {
          const received = parseEvents(message.string())
          if (!received || received.from === sender) return
          for (const event of received.events) local.deliver(event)
        },
      })
      // Only now is the subscription surely active.
      await fresh.flush()
      connection = fresh
      away = false
      void fresh.closed().then((error) => lost(error || new Error('the connection ended')))
    } catch (error) {
      lost(error as Error)
    }
  }

  let connecting = join()
  return {
    publish(events) {
      for (const event of events) local.deliver(event)
      if (closed || !connection || connection.isClosed()) return
      for (const text of eventTexts(sender, events)) connection.publish(SUBJECT, text)
    },
    subscribe: local.add,
    async close() {
      closed = true
      if (retrying) clearTimeout(retrying)
      await connecting
      await connection?.close()
    },
  }
}

/** The library takes credentials separately from the address. The bus itself reconnects. */
function optionsOf(url: string): ConnectionOptions {
  const { protocol, host, username, password } = new URL(url)
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: host,
    name: 'sum28 bus',
    noEcho: true,
    reconnect: false,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_MS,
    ...(protocol === 'tls:' && { tls: {} }),
    ...(user && pass && { user, pass }),
    ...(user && !pass && { token: user }),
  }
}
