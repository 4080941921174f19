import type { BreakLength } from '#src/data/protection.ts'

const HOURS_OF_WEEK = 168
const MONTHS_OF_YEAR = 12

/** `48 hours`, `2 weeks`, `6 months`, `5 years`, as the language writes it. */
export function lengthText(length: BreakLength, tag: string): string {
  if ('hours' in length) {
    const { hours } = length
    const weeks = hours % HOURS_OF_WEEK === 0
    return weeks ? counted(hours / HOURS_OF_WEEK, 'week', tag) : counted(hours, 'hour', tag)
  }
  const { months } = length
  const years = months % MONTHS_OF_YEAR === 0
  return years ? counted(months / MONTHS_OF_YEAR, 'year', tag) : counted(months, 'month', tag)
}

function counted(count: number, unit: string, tag: string): string {
  const text = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(
    count,
  )
  // Chinese and Japanese put no space between a figure and its unit.
  return /^(zh|ja)/.test(tag) ? text.replaceAll(/\s/g, '') : text
}

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
