/** Instants as staff type them: day and time in the operator's zone, `2026-11-22T10:30`. */
import { isDay, instantOf as localInstant, wallClock } from '@sum28/domain/schedule.ts'

/** @returns unix seconds, of a time that occurs twice the first; null if the text is not such a time */
export function instantOf(text: string, timeZone: string): number | null {
  const [, day = '', hours, minutes] = /^(.{10})T([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (!isDay(day)) return null
  return localInstant(timeZone, day, Number(hours) * 60 + Number(minutes)) / 1000
}

/** @param at unix seconds */
export function typedTime(at: number, timeZone: string): string {
  return new Date(wallClock(timeZone, at * 1000)).toISOString().slice(0, 16)
}
