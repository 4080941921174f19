import { type Refusal, refuse } from '#src/refusal/refusal.ts'

/** Runs costly work, or refuses it with too_many_requests if too much is waiting already. */
export type BoundedWork = <Result>(work: () => Promise<Result>) => Promise<Result | Refusal>

/** When a refused caller may try again, in seconds: by then a full queue has emptied. */
const COME_AGAIN_SECONDS = 2

/**
 * Limits work: how much runs at once and how much waits, in the order of arrival. Work beyond that is refused, so
 * that a flood only harms its sender.
 */
export function boundedWork({
  atOnce,
  waitingMax,
}: {
  atOnce: number
  waitingMax: number
}): BoundedWork {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running += 1
    else if (waiting.length < waitingMax) await new Promise<void>((turn) => waiting.push(turn))
    else return refuse('too_many_requests', { retry_after: COME_AGAIN_SECONDS })
    try {
      return await work()
    } finally {
      // The next waiting work takes over the place.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
