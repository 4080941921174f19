/** Formats instants in the operator's time zone, by which days are counted. */

import { type Day, dayOf } from '@sum28/domain/schedule.ts'

type TimeLooks = {
  tag: string
  /** An IANA time zone name. */
  zone: string
  /** Whether the zone is named after a time of the day. */
  named?: boolean
}

/** A day with its time, to the minute. */
const MINUTE: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

/** `14:02`. */
export function clockTimeText(at: number, looks: TimeLooks): string {
  return format(at, looks, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** `Nov 21, 2026, 14:02:09`, as the language writes it. */
export function momentText(at: number, looks: TimeLooks): string {
  return format(at, looks, { ...MINUTE, second: '2-digit' })
}

/** `Nov 21, 2026, 14:02`, as the language writes it. */
export function minuteText(at: number, looks: TimeLooks): string {
  return format(at, looks, MINUTE)
}

/** `Sat, Nov 21, 14:02`, as the language writes it. */
export function dayTimeText(at: number, looks: TimeLooks): string {
  const { year, ...parts } = MINUTE
  return format(at, looks, { ...parts, weekday: 'short' })
}

/** `Nov 14 – Nov 20`, or one day, with the year if it is not this one. */
export function rangeText(
  { from, to }: { from: Day; to: Day },
  { tag, today }: { tag: string; today: Day },
): string {
  const days = [from, to].map((day) => Date.parse(`${day}T12:00:00Z`))
  const [first = 0, last = 0] = days
  const formatter = new Intl.DateTimeFormat(tag, {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    ...([from, to].some((day) => day.slice(0, 4) !== today.slice(0, 4)) && { year: 'numeric' }),
  })
  if (first === last) return formatter.format(first)
  const text = formatter.formatRange(first, last)
  // A line is broken only after the dash between the two days.
  return text.replace(/\s/g, '\u00a0').replace(/–\u00a0/, '– ')
}

/** The time of data: `14:02`, with the day if it was not today. */
export function dataTimeText(at: number, now: number, looks: TimeLooks): string {
  const today = dayOf(looks.zone, at) === dayOf(looks.zone, now)
  return today ? clockTimeText(at, looks) : dayTimeText(at, looks)
}

/**
 * Of a deadline: in the device's own time zone, which is then named, where that is another one than the operator's. If the
 * browser does not know it, the operator's is named.
 */
export function deadlineLooks(at: number, looks: TimeLooks): TimeLooks {
  const own = { ...looks, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone }
  try {
    return momentText(at, own) === momentText(at, looks) ? looks : { ...own, named: true }
  } catch {
    return { ...looks, named: true }
  }
}

/** Opening hours by the operator's clock, whose zone is named where the device's is another: `10:00–02:00 GMT+8`. */
export function hoursText(hours: string, now: number, looks: TimeLooks): string {
  const { tag, zone } = looks
  const dashed = hours.replace('-', '–')
  // Indonesian writes a time with a point.
  const range = /^id\b/.test(tag) ? dashed.replaceAll(':', '.') : dashed
  if (!deadlineLooks(now, looks).named) return range
  const short = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: 'short' })
  const name = short.formatToParts(now).find(({ type }) => type === 'timeZoneName')
  return `${range} ${name?.value}`
}

function format(at: number, looks: TimeLooks, parts: Intl.DateTimeFormatOptions): string {
  const { tag, zone, named } = looks
  const zoneName = named && parts.hour ? ({ timeZoneName: 'short' } as const) : {}
  return new Intl.DateTimeFormat(tag, { timeZone: zone, ...parts, ...zoneName }).format(at)
}
