/**
 * Counting down to something that the server named in remaining time. Only the browser's monotonic
 * clock (`performance.now()`) is used: a wall clock that is minutes off changes nothing.
 */
import { useEffect, useRef, useState } from 'react'

/** A remaining time as a reply gave it. */
export type RemainingSample = {
  /** What is counted down to, such as the round's number: another one starts anew. */
  readonly of: string
  /** Whole seconds that remained. */
  readonly seconds: number
  /** `performance.now()` when the reply came. */
  readonly sampledAt: number
}

export type Deadline = { readonly of: string; readonly endsAt: number }

/** Whole seconds and the way of a reply make each sample up to this much unsure. */
const TOLERANCE_MS = 1_500

/** When what a sample counts down to comes, as an instant of `performance.now()`. */
export function endOf({ sampledAt, seconds }: RemainingSample): number {
  return sampledAt + seconds * 1_000
}

/** The sample of the two that ends first: a reply that was on its way for long ends too late. */
export function earlierEnd(one: RemainingSample, other: RemainingSample): RemainingSample {
  return endOf(other) < endOf(one) ? other : one
}

/**
 * The deadline after a sample. Samples in whole seconds waver around the truth; the deadline moves
 * only where one contradicts it, so that the seconds shown run evenly. It never moves back: a late
 * reply would give time that there is not.
 */
export function nextDeadline(before: Deadline | null, sample: RemainingSample): Deadline {
  const endsAt = endOf(sample)
  const steady = before?.of === sample.of && endsAt >= before.endsAt - TOLERANCE_MS
  return steady ? before : { of: sample.of, endsAt }
}

/** Whole seconds shown at an instant: 1 stays until the last moment, 0 is over. */
export function secondsUntil(endsAt: number, now: number): number {
  return Math.max(0, Math.ceil((endsAt - now) / 1_000))
}

/** `125` → `2:05`. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The steady deadline behind samples that keep coming, as an instant of `performance.now()`. */
export function useDeadline(sample: RemainingSample | null): number | null {
  const deadline = useRef<Deadline | null>(null)
  if (sample) deadline.current = nextDeadline(deadline.current, sample)
  return sample && deadline.current ? deadline.current.endsAt : null
}

/**
 * Whole seconds until an instant of `performance.now()`; renders once a second, when the number
 * changes, and no more after 0. Without an instant it is 0.
 */
export function useSecondsLeft(endsAt: number | null): number {
  const [, setTick] = useState(0)
  const seconds = endsAt === null ? 0 : secondsUntil(endsAt, performance.now())

  useEffect(() => {
    if (endsAt === null) return
    let timer: ReturnType<typeof setTimeout>
    function wait(until: number) {
      const left = until - performance.now()
      if (left <= 0) return
      timer = setTimeout(
        () => {
          setTick((tick) => tick + 1)
          wait(until)
        },
        left % 1_000 || 1_000,
      )
    }
    wait(endsAt)
    return () => clearTimeout(timer)
  }, [endsAt])

  return seconds
}
