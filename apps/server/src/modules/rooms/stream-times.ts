/** When streams look for changes, and when they send a round's beginning. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Instant,
  nextRoundAfter,
  roundAt,
  type ScheduleRules,
} from '@sum28/domain/schedule.ts'

/** How often a stream polls without events: a posting shows within 2 s (RTS 1A). */
const POLL_EVERY_MS = 1_500

/** A seal or an opening is checked just after its instant. */
const PAST_MS = 5

/**
 * Polls: at each seal and opening, and in between, because events may be lost.
 *
 * @returns the function that ends it
 */
export function pollTimer(deps: {
  schedule: ScheduleRules
  now: () => number
  poll: () => void
}): () => void {
  const { schedule, now, poll } = deps

  function untilNextPoll(): number {
    const at = now()
    const running = roundAt(schedule, at)
    const next =
      running && at < running.sealsAt ? running.sealsAt : nextRoundAfter(schedule, at).opensAt
    return Math.min(POLL_EVERY_MS, next - at + PAST_MS)
  }

  function pollLater(): NodeJS.Timeout {
    return setTimeout(() => {
      timer = pollLater()
      poll()
    }, untilNextPoll())
  }
  let timer = pollLater()
  return () => clearTimeout(timer)
}

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
