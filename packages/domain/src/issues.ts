/** A round's number: the game day's date and the round's counter within it, `20261120001`. */
import type { Day } from './schedule.ts'

/** The game day of a round, `YYYY-MM-DD`. It is not checked that this day exists. */
export function gameDayOfIssue(issue: string): Day {
  return `${issue.slice(0, 4)}-${issue.slice(4, 6)}-${issue.slice(6, 8)}`
}

/**
 * Compares two rounds by time: negative when the first ran earlier, 0 when they are the same. An empty number, of no
 * round, is earlier than all others.
 * A day of more than 999 rounds has longer numbers, so across days neither the numbers nor their
 * texts can be compared directly.
 */
export function compareIssues(first: string, second: string): number {
  const [firstDay, secondDay] = [first.slice(0, 8), second.slice(0, 8)]
  if (firstDay !== secondDay) return firstDay < secondDay ? -1 : 1
  return Number(first.slice(8)) - Number(second.slice(8))
}

/** A round's number within its day: `20261120138` → `138`. */
export function roundNumber(issue: string): string {
  return issue.slice(8) || issue
}
