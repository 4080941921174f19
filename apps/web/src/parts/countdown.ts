/**
 * Counts down to an event for which the server sends the remaining time. Uses only the browser's
 * monotonic clock (`performance.now()`), so that a wrong wall clock has no effect.
 */
import { useCallback, useState, useSyncExternalStore } from 'react'

/** A remaining time from a reply. */
export type RemainingSample = {
  /** The name of the event, such as the round's number; another one restarts the countdown. */
  readonly of: string
  /** Remaining whole seconds. */
  readonly seconds: number
  /** `performance.now()` when the reply came. */
  readonly sampledAt: number
}

export type Deadline = { readonly of: string; readonly endsAt: number }

/** The possible error of a sample: it has whole seconds, and the reply took time. */
const TOLERANCE_MS = 1_500

/** When the event of a sample comes, as an instant of `performance.now()`. */
export function endOf({ sampledAt, seconds }: RemainingSample): number {
  return sampledAt + seconds * 1_000
}

/** The one of two samples that ends first: a slow reply ends too late. */
export function earlierEnd(one: RemainingSample, other: RemainingSample): RemainingSample {
  return endOf(other) < endOf(one) ? other : one
}

/**
 * The deadline after a sample. Samples differ slightly; the deadline changes only if a sample
 * contradicts it, so that the shown seconds run evenly. It never becomes later, because a late
 * reply would show too much time.
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

/** Whether an instant of `performance.now()` is over; rerenders when it is. Never, without one. */
export function useReached(at: number | null): boolean {
  return useTimeUntil(at, Number.POSITIVE_INFINITY, (now) => at !== null && now >= at)
}

/** The steady deadline of repeated samples, as an instant of `performance.now()`. */
export function useDeadline(sample: RemainingSample | null): number | null {
  const [before, setDeadline] = useState<Deadline | null>(null)
  if (!sample) return null
  const deadline = nextDeadline(before, sample)
  if (deadline !== before) setDeadline(deadline)
  return deadline.endsAt
}

/**
 * Whole seconds until an instant of `performance.now()`; rerenders when the number changes, until
 * 0. Without an instant it is 0.
 */
export function useSecondsLeft(endsAt: number | null): number {
  return useTimeUntil(endsAt, 1_000, (now) => (endsAt === null ? 0 : secondsUntil(endsAt, now)))
}

/** What is read of the time until an instant of `performance.now()`: again as each step of it is over. */
function useTimeUntil<Value>(
  at: number | null,
  stepMs: number,
  read: (now: number) => Value,
): Value {
  const watch = useCallback(
    (onStep: () => void) => watchSteps({ at, stepMs, onStep }),
    [at, stepMs],
  )
  return useSyncExternalStore(watch, () => read(performance.now()))
}

type Steps = { at: number | null; stepMs: number; onStep: () => void }

/** Calls a listener as each step until an instant is over. Returns a function that ends it. */
function watchSteps({ at, stepMs, onStep }: Steps): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  function wait() {
    const left = at === null ? 0 : at - performance.now()
    if (left <= 0) return
    const step = () => {
      onStep()
      // A timer may fire a little early: then the rest is waited for.
      wait()
    }
    timer = setTimeout(step, left % stepMs || stepMs)
  }
  wait()
  return () => clearTimeout(timer)
}
