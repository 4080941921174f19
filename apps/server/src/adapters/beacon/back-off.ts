import { LRUCache } from 'lru-cache'

/** How long a name that failed is not asked again: longer after each failure in a row, up to a maximum. */
type BackOff = {
  /** Milliseconds until it may be asked again; 0 when it may be asked now. */
  pauseMs(who: string): number
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
  const pauses = new LRUCache<string, { ms: number; endsAt: number }>({ max: KEPT_MAX })
  return {
    pauseMs: (who) => Math.max(0, (pauses.peek(who)?.endsAt ?? 0) - now()),
    failed(who) {
      const before = pauses.peek(who)
      const ms = Math.min(maxMs, before ? before.ms * 2 : firstMs)
      pauses.set(who, { ms, endsAt: now() + ms })
    },
    succeeded: (who) => void pauses.delete(who),
  }
}
