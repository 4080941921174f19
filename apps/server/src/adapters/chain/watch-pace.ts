import type { WatchStep } from './chain-watcher.ts'

/** How the watcher's next step is timed: the state between two steps. */
export type WatchPace = { failuresInRow: number; waitMs: number }

export const FIRST_PACE: WatchPace = { failuresInRow: 0, waitMs: 0 }

/** TRON makes a block every 3 s; asking more often returns nothing new. */
const POLL_MS = 3_000
const BACK_OFF_MIN_MS = 1_000
const BACK_OFF_MAX_MS = 60_000
/** TronGrid blocks a client that asks too often for 30 s, and for 30 s more if it asks meanwhile. */
const REFUSED_MIN_MS = 30_000
/** The pause that a node asks for is respected, up to an hour: a wrong header must not stop deposits forever. */
const RETRY_AFTER_MAX_MS = 3_600_000

/**
 * How long to wait after a step. No time while blocks are left to read; `pollMs` (3 s) if the watcher has reached the
 * node's height or the node has to catch up; after failures twice as long each time, 1 s to 60 s, and never shorter
 * than the node asks for. A step that made progress resets the count.
 */
export function paceAfter(previous: WatchPace, step: WatchStep, pollMs = POLL_MS): WatchPace {
  const { stoppedBy } = step
  if (stoppedBy === undefined || stoppedBy.kind === 'stopped') {
    const behind = step.solidHeight !== null && step.height < step.solidHeight
    return { failuresInRow: 0, waitMs: behind ? 0 : pollMs }
  }
  if (stoppedBy.kind === 'not_yet' || stoppedBy.kind === 'node_behind') {
    return { failuresInRow: 0, waitMs: pollMs }
  }
  const failuresInRow = step.handled > 0 ? 1 : previous.failuresInRow + 1
  const doubled = BACK_OFF_MIN_MS * 2 ** Math.min(failuresInRow - 1, 10)
  let waitMs = Math.min(doubled, BACK_OFF_MAX_MS)
  if (stoppedBy.kind === 'refused') waitMs = Math.max(waitMs, REFUSED_MIN_MS)
  if (stoppedBy.kind !== 'handler' && stoppedBy.retryAfterMs !== null) {
    waitMs = Math.max(waitMs, Math.min(stoppedBy.retryAfterMs, RETRY_AFTER_MAX_MS))
  }
  return { failuresInRow, waitMs }
}
