import type { BreakLength } from '#src/data/protection.ts'

const HOUR_MS = 3_600_000

/**
 * When a break that begins at an instant ends, as the server reckons it: a month later is the same day
 * of that month, or its last day.
 *
 * @param from milliseconds since 1970
 */
export function endOfBreak(length: BreakLength, from: number): number {
  if ('hours' in length) return from + length.hours * HOUR_MS
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + length.months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}
