/** When streams send a round's beginning. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, roundAt, type ScheduleRules } from '@sum28/domain/schedule.ts'

/** When a round begins, it is opened and the one before is drawn, often within this time: both are sent together. */
const ROUND_CHANGES_MS = 100

/** For how long a change waits for further ones of a round's beginning, in milliseconds. */
export function roundChangesWaitMs(schedule: ScheduleRules, at: Instant): number {
  const running = roundAt(schedule, at)
  return running ? Math.max(0, running.opensAt + ROUND_CHANGES_MS - at) : 0
}

/** Waits for {@link roundChangesWaitMs}. */
export async function roundChangesGathered(deps: {
  schedule: ScheduleRules
  now: () => number
}): Promise<void> {
  const ms = roundChangesWaitMs(deps.schedule, deps.now())
  if (ms > 0) await sleep(ms)
}
