import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import { expect, it } from 'vitest'
import { roundChangesWaitMs } from './stream-times.ts'

/** Rounds of a minute, from ten to twelve. */
const SCHEDULE: ScheduleRules = {
  timeZone: 'UTC',
  opensMinute: 600,
  closesMinute: 720,
  roundMs: 60_000,
  sealMs: 10_000,
}

it.each([
  ['just before a round begins', '10:59:59.999', 0],
  ['as it begins', '11:00:00.000', 100],
  ['after it began', '11:00:00.099', 1],
  ['a tenth of a second after it began', '11:00:00.100', 0],
  ['in the middle of a round', '11:00:30.000', 0],
  ['at the end of the day’s last round', '12:00:00.000', 0],
  ['while no round runs', '03:00:00.000', 0],
])(
  'an event %s waits for other events of a round’s beginning, exactly so long',
  (_when, time, waitMs) => {
    expect(roundChangesWaitMs(SCHEDULE, Date.parse(`2026-11-24T${time}Z`))).toBe(waitMs)
  },
)
