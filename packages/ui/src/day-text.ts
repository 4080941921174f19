import type { Day } from '@sum28/domain/schedule.ts'

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
