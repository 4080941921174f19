/** How long work may take, and that work for one key runs one after the other. */
import { type Refusal, refuse } from '#src/refusal/refusal.ts'

/** How long a call is worked on, in milliseconds; what is left of the client's time is for the way. Longer in tests. */
export const ANSWER_WITHIN_MS = 6_500

/** The refusal of a call that was not ended in time: its client may send it again, with the same key. */
export function timedOut(): Refusal {
  return refuse('unavailable', { cause: 'timeout' })
}

/** How long a look at the product's own state may take: Prometheus and a balancer wait for some seconds. */
const LOOK_WITHIN_MS = 2_000

/** The result of a look at the product's own state; null if it fails, or if the database is silent. */
export function orNull<Result>(work: Promise<Result>): Promise<Result | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), LOOK_WITHIN_MS).unref()
    work.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer))
  })
}

/** Runs work for one key one after the other; work for other keys does not wait. */
export type SerialByKey<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>

export function serializeByKey<Key>(): SerialByKey<Key> {
  const last = new Map<Key, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const mine = (async () => {
      await before?.catch(() => {})
      return work()
    })()
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
