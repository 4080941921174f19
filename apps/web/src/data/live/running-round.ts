/** A running round with the status of its game, and which of two reports about it is the later one. */

import type { RunningRoundOnWire } from '@sum28/contract/replies.ts'
import { laterOf } from '#src/data/live/later.ts'
import { earlierEnd, type RemainingSample } from '#src/parts/countdown.ts'

/** How long after a draw was made, or its round has ended, its arrival is still revealed. */
export const REVEALED_FOR_MS = 15_000

/** What is known of it; its version is that of the whole game, of its status and its last draw too. */
export type RunningRound = ReturnType<typeof runningRoundFromWire>

/** @param receivedAt the instant of `performance.now()` at which the seconds were counted */
export function runningRoundFromWire(
  round: Omit<RunningRoundOnWire, 'last_issue'>,
  receivedAt: number,
) {
  const sample = (seconds: number): RemainingSample => ({
    of: round.issue,
    seconds,
    sampledAt: receivedAt,
  })
  return {
    /** Empty when no round runs. */
    roundId: round.issue,
    version: BigInt(round.version),
    sealed: round.whether_close,
    /** Time to the seal. */
    clock: sample(round.openTime1),
    /** Time to the draw; 0 s before the seal. */
    drawClock: sample(round.draw_in),
    /** Whether it was ever reported open: before it opens, it is reported sealed. */
    opened: !round.whether_close,
    /** Of its closed book; null until the seal. */
    bookRoot: round.book_root,
  }
}

/**
 * The later one of two reports. Once a round was open the instant of its seal never moves later, because the seconds of
 * a slow answer are counted from a later instant.
 */
export function laterRound<Round extends RunningRound>(
  known: Round | null | undefined,
  received: Round,
): Round {
  const later = laterOf(known, received)
  if (!known?.opened || later === known || later.roundId !== known.roundId) return later
  return { ...later, opened: true, clock: earlierEnd(known.clock, later.clock) }
}

/**
 * `runs`; `closed` outside opening hours; `stopped`: the operator has stopped this room or game;
 * `all-stopped`: the operator has stopped every game.
 */
export type GameStatus = 'runs' | 'closed' | 'stopped' | 'all-stopped'

const STATUSES: Record<number, GameStatus> = {
  0: 'closed',
  1: 'runs',
  2: 'stopped',
  3: 'all-stopped',
}

/** An unknown number counts as closed, so that no bet is placed by mistake. */
export function gameStatusFromWire(status: number): GameStatus {
  return STATUSES[status] ?? 'closed'
}
