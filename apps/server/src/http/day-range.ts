import { dayRangeFault } from '@sum28/contract/fields.ts'
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'

/**
 * The instants from the beginning of the first day to the end of the last, in the operator's time zone. A missing
 * first day is today, or the last day if that is earlier; a missing last day is today, or the first if that is later.
 *
 * @returns from (inclusive) and until (exclusive) in milliseconds, or what is malformed
 */
export function instantsOfDays(
  timeZone: string,
  now: number,
  range: { begin_date?: string | undefined; end_date?: string | undefined },
): { from: number; until: number } | Refusal {
  const today = dayOf(timeZone, now)
  const begin =
    range.begin_date ?? (range.end_date && range.end_date < today ? range.end_date : today)
  const end = range.end_date ?? latestOf(begin, today)
  const fault = dayRangeFault(begin, end)
  if (fault) return malformed({ end_date: fault })
  return { from: startOfDay(timeZone, begin), until: startOfDay(timeZone, addDays(end, 1)) }
}

function latestOf(first: string, second: string): string {
  return first > second ? first : second
}
