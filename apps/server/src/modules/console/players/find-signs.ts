import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { findSignsUntil } from './signs-store.ts'

/**
 * Searches for early signs in the days up to yesterday, in the operator's zone. Only the first call of a day does it.
 *
 * @returns the number of signs; null if it was done before
 */
export function findSigns({
  db,
  timeZone,
  now,
}: {
  db: Database
  timeZone: string
  now: () => number
}): Promise<number | null> {
  return findSignsUntil(db, addDays(dayOf(timeZone, now()), -1))
}
