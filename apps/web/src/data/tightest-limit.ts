import type { Limit, LimitKind } from '#src/data/protection.ts'

/** A limit that binds the player. */
export type BindingLimit = Limit & { readonly left: NonNullable<Limit['left']> }

/**
 * The one of some kinds of limits that has the least left; of several, the one that begins anew last,
 * as the server names it in a refusal. Null where none of them binds.
 */
export function tightestLimit(
  limits: readonly Limit[],
  kinds: readonly LimitKind[],
): BindingLimit | null {
  return limits
    .filter((limit): limit is BindingLimit => limit.left !== null && kinds.includes(limit.kind))
    .reduce<BindingLimit | null>((tightest, limit) => {
      if (!tightest || limit.left < tightest.left) return limit
      const later = limit.beginsAnewAt > tightest.beginsAnewAt
      return limit.left === tightest.left && later ? limit : tightest
    }, null)
}
