import { endOfBreak } from '#src/data/break-end.ts'
import type { BreakLength, Exclusion } from '#src/data/protection.ts'

const HOURS = [24, 48, 168, 336, 672, 1008].map((hours) => ({ hours }))
const MONTHS = [6, 12, 24, 36, 60].map((months) => ({ months }))

type Lengths = {
  readonly timeOut: readonly BreakLength[]
  readonly selfExclusion: readonly BreakLength[]
}

/**
 * The lengths of a break that the server accepts: those that end after the present break of the same
 * kind. During a time-out every self-exclusion is possible, and during a self-exclusion no time-out.
 *
 * @param now milliseconds since 1970
 */
export function lengthsOffered(exclusion: Exclusion | null, now: number): Lengths {
  const endingAfter = (lengths: readonly BreakLength[], end: number | null) =>
    lengths.filter((length) => end === null || endOfBreak(length, now) > end)
  switch (exclusion?.kind) {
    case undefined:
      return { timeOut: HOURS, selfExclusion: MONTHS }
    case 'time_out':
      return { timeOut: endingAfter(HOURS, exclusion.until), selfExclusion: MONTHS }
    case 'self_exclusion':
      return { timeOut: [], selfExclusion: endingAfter(MONTHS, exclusion.mayAskFrom) }
    case 'likeness':
      return { timeOut: [], selfExclusion: [] }
  }
}
