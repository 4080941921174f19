/**
 * The queue's own connections. The library records that a job is done or failed without waiting for the result, and
 * repeats that only after errors whose codes it knows. It does not know the error of a broken connection: the job
 * would stay locked for minutes and run once more, and nobody would see the error. So its errors get a code that it
 * knows, and it repeats the statement until the database is back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isDatabaseAway, openPool, type PoolOptions, withFailures } from '#src/db/database.ts'

/** `cannot_connect_now`: the library retries after it, with growing pauses of some seconds. */
const TRY_AGAIN = '57P03'

/** How long a stopping queue waits for its last statements. */
const QUIET_WITHIN_MS = 5_000

export type QueuePool = {
  readonly pool: pg.Pool
  /** Closes the connections when no statement is running. Later statements never get an answer. */
  end(): Promise<void>
}

export function openQueuePool(url: string, options: PoolOptions): QueuePool {
  const pool = openPool(url, options)
  let ended = false

  pool.on('connect', (client) => {
    client.query = withFailures(client.query.bind(client), markRetryable)
  })
  const connect = withFailures(pool.connect.bind(pool), markRetryable) as () => unknown
  pool.connect = ((...given: []) =>
    // A retry after the end gets no answer: the library would report an unhandled error.
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

/** Gives failures because of the database a code that the library knows. */
function markRetryable(cause: unknown): never {
  if (!isDatabaseAway(cause)) throw cause
  const { message } = cause as Error
  throw Object.assign(new Error(message, { cause }), { code: TRY_AGAIN })
}

/**
 * Waits for the queue's last statements, which record that jobs are done. The library does not wait for them, and a
 * pool that is closed meanwhile would never answer. If the database is down, there is nothing to wait for.
 */
async function quiet(pool: pg.Pool): Promise<void> {
  const end = performance.now() + QUIET_WITHIN_MS
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) {
    if (performance.now() > end) return
    await sleep(10)
  }
}
