/** A bound on what goes on at the same time: in all, of one network, of one player. */
import { type Refusal, refuse } from '#src/refusal.ts'

export type Places<Kind extends string> = {
  /**
   * Takes a place of each of these.
   * @returns the function that gives them back, which may be called again; or too_many_requests
   */
  take(owners: Record<Kind, string>): (() => void) | Refusal
}

/**
 * @param max how many places an owner of each kind has: `{ all: 8, network: 3 }`
 * @param retrySeconds when a caller who finds none may come again, in seconds
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
