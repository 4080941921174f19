/** Today's figures beside those of yesterday and of a week ago. */
import {
  addDays,
  dayOf,
  gameDaySpan,
  type ScheduleRules,
  startOfDay,
} from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import {
  countFinishedRounds,
  type Figures,
  figuresOfDay,
  hoursOfDay,
  othersOfDay,
  type RoomFigures,
  roomsOfDay,
} from './figures-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type DayFigures = {
  day: string
  whole: Figures
  /** Up to the present time of day. */
  soFar: Figures
  players: number
  deposits: bigint
  withdrawals: bigint
  robots: bigint
  /** For the rounds that ended in each hour since the day's beginning. */
  hours: Figures[]
}

const NONE: Figures = { turnover: 0n, payouts: 0n, expected: 0n, deviation: 0n, bets: 0 }

/** The days that are shown, as days before today. */
const DAYS = [0, 1, 7]

/**
 * @param now milliseconds since 1970, by the database's clock
 * @returns the present game day and two earlier ones, and the present one by room
 */
export async function startFigures(
  db: Queryable,
  schedule: ScheduleRules,
  now: number,
): Promise<{ days: DayFigures[]; rooms: (RoomFigures & { before: bigint[] })[] }> {
  await countFinishedRounds(db)
  const today = gameDayOf(schedule, now)
  const since = now - gameDaySpan(schedule, today).opensAt
  const days: DayFigures[] = []
  const rooms: RoomFigures[][] = []
  for (const before of DAYS) {
    const day = addDays(today, -before)
    const begin = gameDaySpan(schedule, day).opensAt
    const hours: Figures[] = []
    for (const { hour, ...figures } of await hoursOfDay(db, { day, from: new Date(begin) })) {
      while (hours.length < hour) hours.push(NONE)
      hours[hour] = figures
    }
    rooms.push(await roomsOfDay(db, { day, until: new Date(begin + since) }))
    days.push({
      day,
      hours,
      whole: await figuresOfDay(db, { day, until: new Date(begin + 2 * DAY_MS) }),
      soFar: await figuresOfDay(db, { day, until: new Date(begin + since) }),
      ...(await othersOfDay(db, {
        day,
        // As in the reports: the calendar day, which has 23 or 25 hours if the clocks change.
        from: new Date(startOfDay(schedule.timeZone, day)),
        until: new Date(startOfDay(schedule.timeZone, addDays(day, 1))),
      })),
    })
  }
  const [ofToday = [], ...earlier] = rooms
  const turnoverIn = (list: readonly RoomFigures[], roomId: number) =>
    list.find((room) => room.roomId === roomId)?.turnover ?? 0n
  return {
    days,
    rooms: ofToday.map((room) => ({
      ...room,
      before: earlier.map((list) => turnoverIn(list, room.roomId)),
    })),
  }
}

/** The present or latest game day: between two days it is the earlier one. */
function gameDayOf(schedule: ScheduleRules, now: number): string {
  const day = dayOf(schedule.timeZone, now)
  return now < gameDaySpan(schedule, day).opensAt ? addDays(day, -1) : day
}
