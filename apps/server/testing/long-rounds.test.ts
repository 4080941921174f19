/** Long rounds begin with the tests that need them, so that none ends meanwhile. */
import { parseOpeningHours, roundAt } from '@sum28/domain/schedule.ts'
import { expect, it } from 'vitest'
import { hoursFrom } from './long-rounds.ts'
import { zoneFarFromMidnight } from './time-zone.ts'

const MINUTE = 60_000

it('at each minute of a day, a long round has 59 minutes left or more', () => {
  const day = Date.UTC(2027, 4, 3)
  for (let at = day + MINUTE - 1; at < day + 1_440 * MINUTE; at += MINUTE) {
    const timeZone = zoneFarFromMidnight(at)
    const hours = parseOpeningHours(hoursFrom(at, timeZone))
    if (!hours) throw new Error(`not opening hours: ${hoursFrom(at, timeZone)}`)
    const round = roundAt({ timeZone, ...hours, roundMs: 60 * MINUTE, sealMs: 1_000 }, at)
    expect((round?.drawsAt ?? 0) - at, new Date(at).toISOString()).toBeGreaterThan(59 * MINUTE)
  }
})
