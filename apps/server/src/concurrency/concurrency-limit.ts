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

/**
 * @param max how much work of one owner runs at a time, for each kind: `{ all: 8, network: 3 }`. A network counts for
 *   those around it too, which have more (`networksOf`), but where there is a limit for `all`, only half of that
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
  const limitsOf = (kind: Kind, owner: string) =>
    kind === 'network'
      ? networksOf(owner).map(({ name, share }) => ({
          key: `${kind} ${name}`,
          most: Math.min(
            max[kind] * share,
            Math.max(max[kind], Math.min(Math.ceil(all / 2), ofWide)),
          ),
        }))
      : [{ key: `${kind} ${owner}`, most: max[kind] }]
  return {
    begin(owners) {
      const wanted = kinds.flatMap((kind) => limitsOf(kind, owners[kind]))
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
