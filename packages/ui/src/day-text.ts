import type { Day } from '@sum28/domain/schedule.ts'

/** `Sat, Nov 21`, with the year where it is not this one: a calendar day as the language writes it. */
export function dayText(day: Day, { tag, today }: { tag: string; today: Day }): string {
  return new Intl.DateTimeFormat(tag, {
    timeZone: 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  }).format(Date.parse(`${day}T12:00:00Z`))
}
