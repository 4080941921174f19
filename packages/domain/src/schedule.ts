/**
 * The schedule of rounds, as pure arithmetic on the calendar. A game day runs from the opening hour
 * to the closing hour in the operator's time zone, if need be across midnight. It is cut from its
 * opening on into rounds of equal length; a rest that is too short for a round stays closed. Rounds
 * after midnight belong to the day on which the game day began.
 */

/** An instant in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** A calendar day in the operator's time zone, `YYYY-MM-DD`. */
export type Day = string

export type ScheduleRules = {
  /** An IANA time zone name. */
  readonly timeZone: string
  /** Minutes after midnight at which the game day begins, 0–1,439. */
  readonly opensMinute: number
  /** Minutes after the same midnight at which it ends, at most 1,440 after `opensMinute`. */
  readonly closesMinute: number
  /** From the opening of a round to its draw. */
  readonly roundMs: number
  /** The last part of a round, in which no bet is accepted. */
  readonly sealMs: number
}

export type ScheduledRound = {
  /** The game day's date and the round's number: `20261120001`. */
  readonly issue: string
  readonly gameDay: Day
  /** 1, 2, 3 … within the game day. */
  readonly number: number
  readonly opensAt: Instant
  readonly sealsAt: Instant
  readonly drawsAt: Instant
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/**
 * Reads opening hours such as `10:00-02:00` or `00:00-24:00`.
 *
 * @returns minutes after midnight, the closing after the opening; null when the text is not two
 * times, or spans more than a day
 */
export function parseOpeningHours(
  text: string,
): { opensMinute: number; closesMinute: number } | null {
  const match = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/.exec(text.trim())
  if (!match) return null
  const [openHour, openMinute, closeHour, closeMinute] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  if (openHour > 23 || openMinute > 59 || closeMinute > 59) return null
  const opensMinute = openHour * 60 + openMinute
  const closes = closeHour * 60 + closeMinute
  if (closes > DAY_MINUTES) return null
  const closesMinute = closes <= opensMinute ? closes + DAY_MINUTES : closes
  return { opensMinute, closesMinute }
}

/** How many rounds fit into the game day that begins on this date. */
export function roundsInDay(rules: ScheduleRules, gameDay: Day): number {
  const { opensAt, closesAt } = gameDaySpan(rules, gameDay)
  return Math.floor((closesAt - opensAt) / rules.roundMs)
}

/** When the game day of this date begins and ends. */
export function gameDaySpan(
  rules: ScheduleRules,
  gameDay: Day,
): { opensAt: Instant; closesAt: Instant } {
  return {
    opensAt: instantOf(rules.timeZone, gameDay, rules.opensMinute),
    closesAt: instantOf(rules.timeZone, gameDay, rules.closesMinute),
  }
}

/** The present or latest game day: between two days it is the earlier one. */
export function gameDayAt(rules: ScheduleRules, at: Instant): Day {
  const day = dayOf(rules.timeZone, at)
  return at < gameDaySpan(rules, day).opensAt ? addDays(day, -1) : day
}

/** The round that runs at an instant (opening included, draw excluded), or null when there is none. */
export function roundAt(rules: ScheduleRules, at: Instant): ScheduledRound | null {
  const today = dayOf(rules.timeZone, at)
  // Tomorrow's game day has begun already when the clock was put back across midnight.
  for (const gameDay of [today, addDays(today, -1), addDays(today, 1)]) {
    const { opensAt } = gameDaySpan(rules, gameDay)
    if (at < opensAt) continue
    const number = Math.floor((at - opensAt) / rules.roundMs) + 1
    if (number <= roundsInDay(rules, gameDay)) return roundOf(rules, gameDay, number)
  }
  return null
}

/** The first round that opens after an instant. */
export function nextRoundAfter(rules: ScheduleRules, at: Instant): ScheduledRound {
  const current = roundAt(rules, at)
  if (current) {
    const following = roundAt(rules, current.drawsAt)
    if (following) return following
  }
  const today = dayOf(rules.timeZone, at)
  for (const gameDay of [today, addDays(today, 1), addDays(today, 2)]) {
    const first = roundOf(rules, gameDay, 1)
    if (first.opensAt > at && roundsInDay(rules, gameDay) > 0) return first
  }
  throw new Error(`no round follows ${new Date(at).toISOString()} in this schedule`)
}

/** A round of a game day by its number, from 1. Does not check that the day has so many rounds. */
export function roundOf(rules: ScheduleRules, gameDay: Day, number: number): ScheduledRound {
  const opensAt = gameDaySpan(rules, gameDay).opensAt + (number - 1) * rules.roundMs
  const drawsAt = opensAt + rules.roundMs
  return {
    issue: `${gameDay.replaceAll('-', '')}${String(number).padStart(3, '0')}`,
    gameDay,
    number,
    opensAt,
    sealsAt: drawsAt - rules.sealMs,
    drawsAt,
  }
}

/** The calendar day of an instant in a time zone. */
export function dayOf(timeZone: string, at: Instant): Day {
  const wall = wallClock(timeZone, at)
  return new Date(wall).toISOString().slice(0, 10)
}

/** The day that is so many days later, or earlier when the number is negative. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MINUTES * MINUTE_MS)
    .toISOString()
    .slice(0, 10)
}

/** The instant at which a calendar day begins in a time zone. */
export function startOfDay(timeZone: string, day: Day): Instant {
  return instantOf(timeZone, day, 0)
}

/**
 * Whether a text is an existing calendar day, `YYYY-MM-DD`, of the years 1970–2999. Other years are
 * refused because date arithmetic and the database write them differently.
 */
export function isDay(text: string): boolean {
  return /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text) && isInCalendar(text)
}

/** Whether the calendar has a day, `YYYY-MM-DD`: it has no 30 February. */
export function isInCalendar(text: Day): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}

/**
 * The instant at which the local clock shows a day and a number of minutes after its midnight. For
 * a time that the clock skips: the end of the gap. For a time that occurs twice: the first instant.
 * Therefore a later local time is never an earlier instant, and game days that do not overlap in
 * local time do not overlap at all.
 */
export function instantOf(timeZone: string, day: Day, minutes: number): Instant {
  const wall = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS
  const before = wall - offsetAt(timeZone, wall - DAY_MINUTES * MINUTE_MS)
  const after = wall - offsetAt(timeZone, wall + DAY_MINUTES * MINUTE_MS)
  const early = Math.min(before, after)
  const late = Math.max(before, after)
  for (const at of [early, late]) if (wallClock(timeZone, at) === wall) return at
  return gapEnd(timeZone, wall, { early, late })
}

/** The end of a gap: the first instant after `early`, up to `late`, that shows more than `wall`. */
function gapEnd(
  timeZone: string,
  wall: number,
  { early, late }: { early: Instant; late: Instant },
): Instant {
  let short = early
  let past = late
  while (past - short > 1) {
    const middle = Math.floor((short + past) / 2)
    if (wallClock(timeZone, middle) > wall) past = middle
    else short = middle
  }
  return past
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The local time at an instant, in whole seconds, as the instant at which a clock in UTC shows the same. */
export function wallClock(timeZone: string, at: Instant): number {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(timeZone, formatter)
  }
  const part: Record<string, number> = {}
  for (const { type, value } of formatter.formatToParts(at)) part[type] = Number(value)
  return Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day ?? 1,
    part.hour ?? 0,
    part.minute ?? 0,
    part.second ?? 0,
  )
}

/** How far local time is ahead of UTC at an instant in whole seconds, in milliseconds. */
function offsetAt(timeZone: string, at: Instant): number {
  return wallClock(timeZone, at) - at
}
