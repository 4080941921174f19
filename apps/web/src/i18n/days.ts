import { addDays, type Day, isDay } from '@sum28/domain/schedule.ts'

export const QUICK_SPANS = ['today', 'yesterday', 'week', 'month', 'thisMonth'] as const

/**
 * `week` is the last 7 days and `month` the last 30, today included; `thisMonth` is the calendar's.
 */
export type QuickSpan = (typeof QUICK_SPANS)[number]

/** Both ends are included. */
export type DayRange = { readonly from: Day; readonly to: Day }

export type DaySpan = QuickSpan | DayRange

export const FIRST_DAY: Day = '2018-01-01'

/** The greatest number of days that the server accepts. */
export const DAYS_MAX = 366

/** The dates of a span, on the day `today`. */
export function rangeOfSpan(span: DaySpan, today: Day): DayRange {
  switch (span) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'week':
      return { from: addDays(today, -6), to: today }
    case 'month':
      return { from: addDays(today, -29), to: today }
    case 'thisMonth':
      return { from: `${today.slice(0, 7)}-01`, to: today }
    default:
      return span
  }
}

/**
 * A range that the server accepts from two chosen dates: a reversed one is turned, and one that is
 * too long keeps its end.
 */
export function tidyRange({ from, to }: DayRange, today: Day): DayRange {
  // Days in this form sort as text.
  const clamped = [from, to].map((day) => (day > today ? today : day < FIRST_DAY ? FIRST_DAY : day))
  const [first = today, last = today] = clamped.sort()
  const earliest = addDays(last, 1 - DAYS_MAX)
  return { from: [first, earliest].sort()[1] ?? first, to: last }
}

/** A span from an address; today if the address has no valid one. */
export function spanOfQuery(
  query: { days: string | null; from: string | null; to: string | null },
  today: Day,
): DaySpan {
  const { days, from, to } = query
  if (from && to && isDay(from) && isDay(to)) return tidyRange({ from, to }, today)
  return QUICK_SPANS.find((quick) => quick === days) ?? 'today'
}

/** The query that {@link spanOfQuery} reads; empty for today. */
export function queryOfSpan(span: DaySpan): Record<string, string> {
  if (typeof span !== 'string') return { from: span.from, to: span.to }
  return span === 'today' ? {} : { days: span }
}

/** Items in their order, grouped by day. */
export function byDay<Item>(
  items: readonly Item[],
  dayOfItem: (item: Item) => Day,
): { day: Day; items: Item[] }[] {
  const days: { day: Day; items: Item[] }[] = []
  for (const item of items) {
    const day = dayOfItem(item)
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}

/** A calendar day as the language writes it: `Sat, Nov 21`, with the year if it is not this one. */
export function dayText(day: Day, { tag, today }: { tag: string; today: Day }): string {
  return new Intl.DateTimeFormat(tag, {
    timeZone: 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  }).format(Date.parse(`${day}T12:00:00Z`))
}

/** `Nov 21, 2026`, as the language writes it; the calendar day in the zone. */
export function dateText(at: number, { tag, zone }: { tag: string; zone: string }): string {
  return new Intl.DateTimeFormat(tag, { timeZone: zone, dateStyle: 'medium' }).format(at)
}
