import type { Limit, LimitKind } from '#src/data/protection.ts'

/** A limit in force. */
export type BindingLimit = Limit & { readonly left: NonNullable<Limit['left']> }

/**
 * The limit, among some kinds, with the least amount left; among equal ones, the one whose period ends
 * last, as the server names it in a refusal. Null if no such limit is in force.
 */
export function tightestLimit(
  limits: readonly Limit[],
  kinds: readonly LimitKind[],
): BindingLimit | null {
  return limits
    .filter((limit): limit is BindingLimit => limit.left !== null && kinds.includes(limit.kind))
    .reduce<BindingLimit | null>((tightest, limit) => {
      if (!tightest || limit.left < tightest.left) return limit
      const later = limit.nextPeriodAt > tightest.nextPeriodAt
      return limit.left === tightest.left && later ? limit : tightest
    }, null)
}
