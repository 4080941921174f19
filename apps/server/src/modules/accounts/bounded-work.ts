import { type Refusal, refuse } from '#src/refusal.ts'

/** Runs costly work, or refuses it with too_many_requests where too much is waiting already. */
export type BoundedWork = <Result>(work: () => Promise<Result>) => Promise<Result | Refusal>

/** When whoever was refused may come again, in seconds: by then a full queue has emptied. */
const COME_AGAIN_SECONDS = 2

/**
 * Work of which so much runs at once and so much waits, in the order in which it came. What comes
 * beyond that is not begun, so that a flood costs whoever sends it his answer and nobody else his.
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
      // Whoever is next takes the place over.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
