/**
 * Holm's correction: makes the p-values of many tests comparable with one level.
 * Source: S. Holm, A simple sequentially rejective multiple test procedure (1979).
 * @param pValues from 0 to 1
 * @returns the adjusted p-values in the same order. When those below a level are rejected, the
 * chance of rejecting anything wrongly is at most that level
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const ascending = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  const adjusted = new Array<number>(pValues.length)
  let least = 0
  for (const [rank, { p, index }] of ascending.entries()) {
    least = Math.max(least, Math.min(1, (pValues.length - rank) * p))
    adjusted[index] = least
  }
  return adjusted
}
