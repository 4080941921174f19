/**
 * The operator's time zone in tests that run the product: one in which no day ends meanwhile. A list without days
 * shows those of today, so a test that bets before midnight and reads its bets after it would fail by chance.
 */

/** Singapore is eight hours ahead of UTC, and La Paz four behind: twelve hours apart. Neither changes its clocks. */
const SINGAPORE = 'Asia/Singapore'
const LA_PAZ = 'America/La_Paz'

/** The zone of the two in which it is between 3:00 and 15:00: midnight is nine hours away, or more. */
export function zoneFarFromMidnight(now: number): string {
  const utcHour = new Date(now).getUTCHours()
  return utcHour >= 19 || utcHour < 7 ? SINGAPORE : LA_PAZ
}

export const TEST_TIME_ZONE = zoneFarFromMidnight(Date.now())
