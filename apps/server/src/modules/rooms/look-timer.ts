import { nextRoundAfter, roundAt, type ScheduleRules } from '@sum28/domain/schedule.ts'

/** How often a stream polls without events: a posting shows within 2 s (RTS 1A). */
const LOOK_EVERY_MS = 1_500

/** A seal or an opening is checked just after its instant. */
const PAST_MS = 5

/**
 * Polls: at each seal and opening, and in between, because events may be lost.
 *
 * @returns the function that ends it
 */
export function lookTimer(deps: {
  schedule: ScheduleRules
  now: () => number
  look: () => void
}): () => void {
  const { schedule, now, look } = deps

  function untilNextLook(): number {
    const at = now()
    const running = roundAt(schedule, at)
    const next =
      running && at < running.sealsAt ? running.sealsAt : nextRoundAfter(schedule, at).opensAt
    return Math.min(LOOK_EVERY_MS, next - at + PAST_MS)
  }

  function lookLater(): NodeJS.Timeout {
    return setTimeout(() => {
      timer = lookLater()
      look()
    }, untilNextLook())
  }
  let timer = lookLater()
  return () => clearTimeout(timer)
}
