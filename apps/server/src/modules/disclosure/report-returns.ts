/** Compares the returns of finished game days with theory. */
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import { gameDayAt } from '@sum28/domain/schedule.ts'
import { callFunction, type Database } from '#src/db/database.ts'

/**
 * Reports each finished game day once, the oldest first, until none is left or the signal stops it.
 *
 * @returns the reported days
 */
export async function reportReturns(
  { db, schedule, now }: { db: Database; schedule: ScheduleRules; now: () => number },
  signal?: AbortSignal,
): Promise<string[]> {
  const reported: string[] = []
  while (!signal?.aborted) {
    const present = gameDayAt(schedule, now())
    const day = await callFunction<string | null>(db, 'disclosure.day_to_report', present)
    if (day === null) break
    await callFunction(db, 'disclosure.report_returns', day)
    reported.push(day)
  }
  return reported
}
