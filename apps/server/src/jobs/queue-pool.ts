/**
 * The queue's own connections. The library writes down that a job is done, or failed, without waiting
 * for it, and writes again only after errors whose codes it knows. Of a connection that broke it does
 * not know: the job would stay locked for four hours, and nobody would hear the error. So its errors get a
 * code that it knows, and it writes again until the database is there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isDatabaseAway, openPool, type PoolOptions } from '#src/db/database.ts'

/** `cannot_connect_now`: what the library tries again, some seconds later each time. */
const TRY_AGAIN = '57P03'

/** How long the queue's last statements are waited for when it stops. */
const QUIET_WITHIN_MS = 5_000

export type QueuePool = {
  readonly pool: pg.Pool
  /** Ends the connections once they are quiet. What is asked for afterwards is never answered. */
  end(): Promise<void>
}

/** Opens the queue's connections. */
export function openQueuePool(url: string, options: PoolOptions): QueuePool {
  const pool = openPool(url, options)
  let ended = false

  pool.on('connect', (client) => {
    client.query = told(client.query.bind(client)) as typeof client.query
  })
  const connect = told(pool.connect.bind(pool))
  pool.connect = ((...given: unknown[]) =>
    // A try after the end is not answered: the library would report an error that nobody handles.
    ended ? new Promise(() => {}) : connect(...given)) as typeof pool.connect

  return {
    pool,
    async end() {
      await quiet(pool)
      ended = true
      await pool.end()
    },
  }
}

/** The same call, whose failures for want of a database the library knows. */
function told(call: unknown): (...given: unknown[]) => unknown {
  return (...given) => {
    const result = (call as (...given: unknown[]) => unknown)(...given)
    return result instanceof Promise ? result.catch(sayAway) : result
  }
}

function sayAway(cause: unknown): never {
  if (!isDatabaseAway(cause)) throw cause
  const { message } = cause as Error
  throw Object.assign(new Error(message, { cause }), { code: TRY_AGAIN })
}

/**
 * Waits for the queue's last statements, which note that jobs are done: the library does not, and a pool that is
 * ended meanwhile would never answer it. With a database that is away there is nothing to wait for.
 */
async function quiet(pool: pg.Pool): Promise<void> {
  const end = performance.now() + QUIET_WITHIN_MS
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) {
    if (performance.now() > end) return
    await sleep(10)
  }
}
