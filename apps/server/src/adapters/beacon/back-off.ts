import { LRUCache } from 'lru-cache'

/** How long whoever failed is left alone: longer after each failure in a row, up to a most. */
type BackOff = {
  /** Milliseconds until it may be asked again; 0 when it may be asked now. */
  restMs(who: string): number
  /** It failed now. */
  failed(who: string): void
  /** It did as it should: its failures are forgotten. */
  succeeded(who: string): void
}

/** Names that are kept; the one that failed longest ago is forgotten first. */
const KEPT_MAX = 1_000

/**
 * Makes a back-off whose rests double. It keeps no time of day, so a clock that is set changes nothing.
 *
 * @param firstMs the rest after a first failure, in milliseconds
 * @param maxMs the longest rest, in milliseconds
 * @param now a clock that only runs on, in milliseconds
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
