/**
 * Counts of calls that all processes share, stored in the database for the rate limits.
 *
 * Each process counts locally, and twice a second adds to the database those counts that come near a limit; the calls
 * of most networks cost nothing. So a client that uses several processes has at most an eighth of a limit more at
 * each, plus what it sends within half a second. Without the database each process uses its own count.
 */
import { createHmac } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/db/database.ts'

export type SharedCounts = {
  /** For the limiter's option `store`. */
  readonly Store: FastifyRateLimitStoreCtor
  /** Adds this process's counts to the database's now. Never rejects. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

const EXCHANGE_MS = 500

/** A count is shared when it reaches this part of a limit. */
const NEAR = 1 / 8

/** How many counts a process keeps, the latest; and how many one statement carries. */
const COUNTS_MAX = 50_000
const SENT_MAX = 2_000

type Count = {
  readonly id: string
  /** The calls of all processes, as far as this one knows. */
  shared: number
  /** Calls of this process that are not sent yet. */
  unsent: number
  /** By the clock `now`, in milliseconds. */
  endsAt: number
}

/**
 * @param key hashes a count's owner: no network address is stored
 * @param everyMs how often counts are sent
 * @param now a monotonic clock in milliseconds
 */
export function sharedCounts(deps: {
  db: Queryable
  key: Buffer
  onError: (error: unknown) => void
  everyMs?: number
  now?: () => number
}): SharedCounts {
  const { db, key, onError, everyMs = EXCHANGE_MS, now = () => performance.now() } = deps
  const counts = new LRUCache<string, Count>({ max: COUNTS_MAX })
  const near = new Map<string, Count>()

  function add(id: string, windowMs: number, max: number): { current: number; ttl: number } {
    const at = now()
    let count = counts.get(id)
    if (!count || count.endsAt <= at) {
      count = { id, shared: 0, unsent: 0, endsAt: at + windowMs }
      counts.set(id, count)
    }
    count.unsent += 1
    const current = count.shared + count.unsent
    if (current >= max * NEAR && near.size < COUNTS_MAX) near.set(id, count)
    return { current, ttl: count.endsAt - at }
  }

  /** Sends the unsent part of these counts, and receives the totals of all processes. */
  async function send(batch: readonly Count[]): Promise<void> {
    const at = now()
    const sent = batch.map(({ unsent }) => unsent)
    const ids = batch.map(({ id }) => createHmac('sha256', key).update(id).digest())
    const left = batch.map(({ endsAt }) => Math.max(1, Math.ceil(endsAt - at)))
    const rows = await db.query<{ counter: Buffer; calls: number; left: number }>(
      `select counter, calls, (extract(epoch from ends_at - app.now()) * 1000)::float8 as left
       from app.count_calls($1, $2, $3)`,
      [ids, sent, left],
    )
    const byId = new Map(rows.map((row) => [row.counter.toString('hex'), row]))
    batch.forEach((count, index) => {
      const row = byId.get(ids[index]?.toString('hex') ?? '')
      if (!row) return
      count.shared = row.calls
      count.unsent -= sent[index] ?? 0
      count.endsAt = now() + row.left
    })
  }

  async function exchange(): Promise<void> {
    const batch = [...near.values()].slice(0, SENT_MAX)
    for (const { id } of batch) near.delete(id)
    if (batch.length > 0) await send(batch).catch(onError)
  }

  let exchanging: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    if (near.size > 0) exchanging = exchanging.then(exchange)
  }, everyMs)
  timer.unref()

  class Store implements FastifyRateLimitStore {
    readonly name: string
    constructor(options: object) {
      const { routeInfo } = options as { routeInfo?: { url?: string } }
      this.name = routeInfo?.url ?? 'all'
    }
    incr(
      whose: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
      max: number,
    ): void {
      done(null, add(`${this.name} ${whose}`, windowMs, max))
    }
    child(options: object): Store {
      return new Store(options)
    }
  }
  return {
    Store,
    exchange,
    async stop() {
      clearInterval(timer)
      await exchanging
    },
  }
}
