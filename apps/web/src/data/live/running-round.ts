/** A running round, and the rule that decides which of two reports about it is the later one. */
import { compareIssues } from '@sum28/domain/issues.ts'
import { earlierEnd, type RemainingSample } from '@sum28/ui/countdown.ts'

export type RunningRound = {
  /** Empty when no round runs. */
  readonly issue: string
  readonly sealed: boolean
  /** Time to the seal. */
  readonly clock: RemainingSample
  /** Whether it was ever reported open: before it opens, it is reported sealed. */
  readonly opened: boolean
  /**
   * The instant of `performance.now()` at which this was certain: when a beat was sent, or when
   * the stream's event came.
   */
  readonly asOf: number
  /** Of its closed book; null until the seal. */
  readonly bookRoot: string | null
}

/** A round as the wire has it: `openTime1` are whole seconds to the seal. */
type WireRound = {
  issue: string
  openTime1: number
  whether_close: boolean
  book_root: string | null
}

/** @param at `asOf` as above; `receivedAt`: the instant at which the seconds were counted */
export function runningRoundFromWire(
  { issue, openTime1, whether_close, book_root }: WireRound,
  { asOf, receivedAt }: { asOf: number; receivedAt: number },
): RunningRound {
  return {
    issue,
    sealed: whether_close,
    clock: { of: issue, seconds: openTime1, sampledAt: receivedAt },
    opened: !whether_close,
    asOf,
    bookRoot: book_root,
  }
}

/**
 * The later one of two reports: `known` itself if `received` is older or names an earlier round. A
 * seal is never undone once the round was open, and the instant of the seal never moves later,
 * because the seconds of a slow answer are counted from a later instant.
 */
export function laterRound<Round extends RunningRound>(
  known: Round | null | undefined,
  received: Round,
): Round {
  if (!known) return received
  if (received.asOf < known.asOf) return known
  if (known.issue && received.issue && compareIssues(received.issue, known.issue) < 0) return known
  if (known.issue !== received.issue || !known.opened) return received
  return {
    ...received,
    opened: true,
    sealed: received.sealed || known.sealed,
    clock: earlierEnd(known.clock, received.clock),
  }
}
