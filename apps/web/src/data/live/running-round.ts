/** A running round with the status of its game, and which of two reports about it is the later one. */

import { laterOf, type Versioned } from '#src/data/live/later.ts'
import { earlierEnd, type RemainingSample } from '#src/parts/countdown.ts'

/** The version is that of the whole game: of its status and its last draw too. */
export type RunningRound = Versioned & {
  /** Empty when no round runs. */
  readonly roundId: string
  readonly sealed: boolean
  /** Time to the seal. */
  readonly clock: RemainingSample
  /** Whether it was ever reported open: before it opens, it is reported sealed. */
  readonly opened: boolean
  /** Of its closed book; null until the seal. */
  readonly bookRoot: string | null
}

/** A round as the wire has it: `openTime1` are whole seconds to the seal. */
type WireRound = {
  issue: string
  openTime1: number
  whether_close: boolean
  book_root: string | null
  version: string
}

/** @param receivedAt the instant of `performance.now()` at which the seconds were counted */
export function runningRoundFromWire(
  { issue: roundId, openTime1, whether_close, book_root, version }: WireRound,
  receivedAt: number,
): RunningRound {
  return {
    roundId,
    version: BigInt(version),
    sealed: whether_close,
    clock: { of: roundId, seconds: openTime1, sampledAt: receivedAt },
    opened: !whether_close,
    bookRoot: book_root,
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
