/** Lets orders have the database's time while a large round is settled or refunded. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '#src/db/database.ts'
import { lastBetId } from './bet-store.ts'
import { CHUNK, type Pace } from './resolve-round.ts'

/** The database's time for an order: see docs/performance.md. */
const ORDER_MS = 0.2

/**
 * Milliseconds to wait after a chunk: as long as the database needed for the orders that came meanwhile, and at most as
 * long as the chunk took, so that a settlement takes at most twice its time.
 *
 * @param placed bets that were placed since the chunk before
 */
export function restMs({ placed, tookMs }: { placed: number; tookMs: number }): number {
  return Math.min(tookMs, placed * ORDER_MS)
}

/** The pace of one round's settlement or refund, which waits for orders between two chunks and ends with the signal. */
export function settlementPace(
  db: Queryable,
  signal: AbortSignal,
  { chunk = CHUNK, wait = sleep as Wait }: { chunk?: number; wait?: Wait } = {},
): Pace {
  let before: number | null = null
  return {
    chunk,
    async rest(tookMs) {
      signal.throwIfAborted()
      const last = await lastBetId(db)
      const placed = last - (before ?? last)
      before = last
      await wait(restMs({ placed, tookMs }), undefined, { signal })
    },
  }
}

type Wait = (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>
