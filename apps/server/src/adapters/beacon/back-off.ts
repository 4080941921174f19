import { LRUCache } from 'lru-cache'

/** How long a name that failed is not asked again: longer after each failure in a row, up to a maximum. */
type BackOff = {
  /** Milliseconds until it may be asked again; 0 when it may be asked now. */
  restMs(who: string): number
  /** Records a failure. */
  failed(who: string): void
  /** Records a success: earlier failures are forgotten. */
  succeeded(who: string): void
}

/** How many names are kept; the name whose failure is oldest is dropped first. */
const KEPT_MAX = 1_000

/**
 * Makes a back-off whose pauses double. It reads no wall clock, so setting the clock changes nothing.
 *
 * @param firstMs the pause after the first failure, in milliseconds
 * @param maxMs the longest pause, in milliseconds
 * @param now a monotonic clock, in milliseconds
 */
export function backOff({
  firstMs,
  maxMs,
  now = () => performance.now(),
}: {
  firstMs: number
  maxMs: number
  now?: () => number
}): BackOff {
  const rests = new LRUCache<string, { ms: number; endsAt: number }>({ max: KEPT_MAX })
  return {
    restMs: (who) => Math.max(0, (rests.peek(who)?.endsAt ?? 0) - now()),
    failed(who) {
      const before = rests.peek(who)
      const ms = Math.min(maxMs, before ? before.ms * 2 : firstMs)
      rests.set(who, { ms, endsAt: now() + ms })
    },
    succeeded: (who) => void rests.delete(who),
  }
}
