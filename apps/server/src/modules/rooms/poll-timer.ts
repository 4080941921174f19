import { nextRoundAfter, roundAt, type ScheduleRules } from '@sum28/domain/schedule.ts'

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
