/** Limits concurrency: in all, for one network, for one player. */
import { type Refusal, refuse } from '#src/refusal/refusal.ts'

export type Places<Kind extends string> = {
  /**
   * Takes a place of each kind. @returns the function that releases them, which may be called repeatedly; or
   * too_many_requests
   */
  take(owners: Record<Kind, string>): (() => void) | Refusal
}

/**
 * @param max the number of places of each kind: `{ all: 8, network: 3 }`
 * @param retrySeconds when a refused caller may try again, in seconds
 */
export function places<Kind extends string>(
  max: Readonly<Record<Kind, number>>,
  retrySeconds: number,
): Places<Kind> {
  const taken = new Map<string, number>()
  const change = (key: string, by: number) => {
    const left = (taken.get(key) ?? 0) + by
    if (left > 0) taken.set(key, left)
    else taken.delete(key)
  }
  return {
    take(owners) {
      const wanted = (Object.keys(max) as Kind[]).map((kind) => ({
        key: `${kind} ${owners[kind]}`,
        most: max[kind],
      }))
      if (wanted.some(({ key, most }) => (taken.get(key) ?? 0) >= most)) {
        return refuse('too_many_requests', { retry_after: retrySeconds })
      }
      for (const { key } of wanted) change(key, 1)
      let held = true
      return () => {
        if (!held) return
        held = false
        for (const { key } of wanted) change(key, -1)
      }
    },
  }
}
