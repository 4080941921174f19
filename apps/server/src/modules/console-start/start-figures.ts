/** Today's figures beside those of yesterday and of a week ago. */
import { addDays, dayOf, gameDaySpan, type ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { countFinishedRounds } from './count-rounds.ts'
import { type Figures, figuresOfDay, hoursOfDay, othersOfDay, roomsOfDay } from './figures-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type DayFigures = {
  day: string
  whole: Figures
  /** Up to the time of day that it is now. */
  soFar: Figures
  players: number
  deposits: bigint
  withdrawals: bigint
  robots: bigint
  /** The turnover of each hour since the day's beginning. */
  hours: bigint[]
}

/** The days that are shown, as days before today. */
const DAYS = [0, 1, 7]

/**
 * @param now milliseconds since 1970, by the database's clock
 * @returns the game day of now and two before it, and the present one by room
 */
export async function startFigures(
  db: Queryable,
  schedule: ScheduleRules,
  now: number,
): Promise<{ days: DayFigures[]; rooms: Awaited<ReturnType<typeof roomsOfDay>> }> {
  await countFinishedRounds(db)
  const today = gameDayOf(schedule, now)
  const since = now - gameDaySpan(schedule, today).opensAt
  const days: DayFigures[] = []
  for (const before of DAYS) {
    const day = addDays(today, -before)
    const begin = gameDaySpan(schedule, day).opensAt
    const [from, until] = [new Date(begin), new Date(begin + DAY_MS)]
    const hours: bigint[] = []
    for (const { hour, turnover } of await hoursOfDay(db, { day, from })) {
      while (hours.length < hour) hours.push(0n)
      hours[hour] = turnover
    }
    days.push({
      day,
      hours,
      whole: await figuresOfDay(db, { day, until: new Date(begin + 2 * DAY_MS) }),
      soFar: await figuresOfDay(db, { day, until: new Date(begin + since) }),
      ...(await othersOfDay(db, { day, from, until })),
    })
  }
  return { days, rooms: await roomsOfDay(db, today) }
}

/** The game day that is on, or was on last: between two days it is the earlier one. */
function gameDayOf(schedule: ScheduleRules, now: number): string {
  const day = dayOf(schedule.timeZone, now)
  return now < gameDaySpan(schedule, day).opensAt ? addDays(day, -1) : day
}
