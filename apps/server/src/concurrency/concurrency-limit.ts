/** Limits concurrency: in all, for one network, for one player. */
import { networksOf } from '#src/formats/network-of.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'

export type ConcurrencyLimit<Kind extends string> = {
  /**
   * Begins work that counts for an owner of each kind. @returns the function that ends it, which may be called
   * repeatedly; or too_many_requests
   */
  begin(owners: Record<Kind, string>): (() => void) | Refusal
}

/** While more than half of all places are taken, a network has this part of its own, and at least one. */
const PART_OF_CROWDED = 1 / 8

/**
 * @param max how much work of one owner runs at a time, for each kind: `{ all: 8, network: 3 }`. A network counts for
 *   those around it too, which have more (`networksOf`), but where there is a limit for `all`, only half of that; and
 *   none has as much as usual while more than half of all is taken: so a dozen networks leave places to the others
 * @param retrySeconds when a refused caller may try again, in seconds
 * @param ofWide the most that those around a network may have, if it is less
 */
export function concurrencyLimit<Kind extends string>(
  max: Readonly<Record<Kind, number>>,
  retrySeconds: number,
  ofWide = Number.POSITIVE_INFINITY,
): ConcurrencyLimit<Kind> {
  const kinds = Object.keys(max) as Kind[]
  const { all = Number.POSITIVE_INFINITY } = max as { all?: number }
  const running = new Map<string, number>()
  const change = (key: string, by: number) => {
    const left = (running.get(key) ?? 0) + by
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }
  let begun = 0
  const limitsOf = (kind: Kind, owner: string) => {
    if (kind !== 'network') return [{ kind, key: `${kind} ${owner}`, most: max[kind] }]
    const wide = Math.max(max[kind], Math.min(Math.ceil(all / 2), ofWide))
    return networksOf(owner).map(({ name, share }) => {
      const usual = Math.min(max[kind] * share, wide)
      const crowded = Math.max(1, Math.floor(usual * PART_OF_CROWDED))
      return { kind, key: `${kind} ${name}`, most: begun > all / 2 ? crowded : usual }
    })
  }
  return {
    begin(owners) {
      const wanted = kinds.flatMap((kind) => limitsOf(kind, owners[kind]))
      const full = wanted.find(({ key, most }) => (running.get(key) ?? 0) >= most)
      if (full) {
        const refusal = refuse('too_many_requests', { retry_after: retrySeconds })
        // Others take all places: he has not tried too often.
        return full.kind === 'all' ? { ...refusal, wording: 'unavailable' } : refusal
      }
      for (const { key } of wanted) change(key, 1)
      begun += 1
      let released = false
      return () => {
        if (released) return
        released = true
        for (const { key } of wanted) change(key, -1)
        begun -= 1
      }
    },
  }
}
