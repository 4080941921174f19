/**
 * Rounds of an hour, the first of which begins now. None ends during a test, at whatever minute it runs: a round that
 * did would be drawn, settled or void, and join the lists that the test reads.
 */
import { TEST_TIME_ZONE } from './time-zone.ts'

/** Opening hours of a whole day that begin with the minute of this instant, as a clock in the time zone shows it. */
export function hoursFrom(now: number, timeZone: string): string {
  const minute = new Date(now).toLocaleTimeString('en-GB', {
    ...{ timeZone, hour: '2-digit', minute: '2-digit' },
  })
  return `${minute}-${minute}`
}

/** For tests that need no end of a round: at least 59 minutes to bet from the loading of this file. */
export const LONG_ROUNDS = {
  ROUND_SECONDS: '3600',
  SEAL_SECONDS: '1',
  OPENING_HOURS: hoursFrom(Date.now(), TEST_TIME_ZONE),
}
