/** A round's number: the game day's date and the round's counter within it, `20261120001`. */
import type { Day } from './schedule.ts'

/** The game day that a round belongs to, `YYYY-MM-DD`; it may be no day that exists. */
export function gameDayOfIssue(issue: string): Day {
  return `${issue.slice(0, 4)}-${issue.slice(4, 6)}-${issue.slice(6, 8)}`
}

/**
 * The order of rounds in time: negative where the first ran before the second, 0 where they are the
 * same. A day of more than 999 rounds has longer numbers, so that neither the numbers nor their
 * texts can be compared across days.
 */
export function compareIssues(first: string, second: string): number {
  const [firstDay, secondDay] = [first.slice(0, 8), second.slice(0, 8)]
  if (firstDay !== secondDay) return firstDay < secondDay ? -1 : 1
  return Number(first.slice(8)) - Number(second.slice(8))
}
