/**
 * Places on the chart's time axis. The chart's axis is in seconds since 1970 and puts labels at
 * whole minutes, hours and days. Rounds of a day are placed six seconds apart, so that every 10th,
 * 50th, … round and the first of each day gets a label.
 */
import { addDays, type Day } from '@sum28/domain/schedule.ts'

const SECONDS_PER_DAY = 86_400
const SECONDS_PER_ROUND = 6

/** The most rounds that a day may have here: one every six seconds. */
const ROUNDS_MAX = SECONDS_PER_DAY / SECONDS_PER_ROUND - 1

/** A round's place; later rounds have greater ones. Throws if the text is not a round's number. */
export function chartTimeOf(issue: string): number {
  const midnight = Date.UTC(
    Number(issue.slice(0, 4)),
    Number(issue.slice(4, 6)) - 1,
    Number(issue.slice(6, 8)),
  )
  const number = Number(issue.slice(8))
  if (!Number.isFinite(midnight) || !(number >= 1 && number <= ROUNDS_MAX)) {
    throw new Error(`${issue} has no place on the chart`)
  }
  return midnight / 1_000 + number * SECONDS_PER_ROUND
}

/** The game day and the number within it of the round at a place. */
export function roundAtChartTime(time: number): { day: Day; number: number } {
  const days = Math.floor(time / SECONDS_PER_DAY)
  return {
    day: addDays('1970-01-01', days),
    number: Math.round((time - days * SECONDS_PER_DAY) / SECONDS_PER_ROUND),
  }
}
