/** Limits concurrency: in all, for one network, for one player. */
import { type Refusal, refuse } from '#src/refusal/refusal.ts'

export type ConcurrencyLimit<Kind extends string> = {
  /**
   * Begins a call that counts for an owner of each kind. @returns the function that ends it, which may be called
   * repeatedly; or too_many_requests
   */
  begin(owners: Record<Kind, string>): (() => void) | Refusal
}

/**
 * @param max how many calls of one owner run at a time, for each kind: `{ all: 8, network: 3 }`
 * @param retrySeconds when a refused caller may try again, in seconds
 */
export function concurrencyLimit<Kind extends string>(
  max: Readonly<Record<Kind, number>>,
  retrySeconds: number,
): ConcurrencyLimit<Kind> {
  const running = new Map<string, number>()
  const change = (key: string, by: number) => {
    const left = (running.get(key) ?? 0) + by
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }
  return {
    begin(owners) {
      const wanted = (Object.keys(max) as Kind[]).map((kind) => ({
        key: `${kind} ${owners[kind]}`,
        most: max[kind],
      }))
      if (wanted.some(({ key, most }) => (running.get(key) ?? 0) >= most)) {
        return refuse('too_many_requests', { retry_after: retrySeconds })
      }
      for (const { key } of wanted) change(key, 1)
      let released = false
      return () => {
        if (released) return
        released = true
        for (const { key } of wanted) change(key, -1)
      }
    },
  }
}
