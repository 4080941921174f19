import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { describe, expect, it } from 'vitest'
import { zoneFarFromMidnight } from './time-zone.ts'

const HOUR_MS = 3_600_000

describe('the time zone of tests', () => {
  it('has begun its day three hours ago or more, and ends it in nine or more, whenever a test runs', () => {
    for (let hour = 0; hour < 24 * 366; hour++) {
      for (const now of [0, HOUR_MS - 1].map((ms) => Date.UTC(2026, 0, 1, hour) + ms)) {
        const zone = zoneFarFromMidnight(now)
        const today = dayOf(zone, now)
        expect(now - startOfDay(zone, today)).toBeGreaterThanOrEqual(3 * HOUR_MS)
        expect(startOfDay(zone, addDays(today, 1)) - now).toBeGreaterThan(9 * HOUR_MS)
      }
    }
  })
})
