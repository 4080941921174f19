import { type NamedOutcome, namedOutcomeHits, SUMS } from '@sum28/domain/outcomes.ts'

/** The sums of a named outcome: `14–27` if they are consecutive, else `15, 17 … 27`. */
export function sumsText(outcome: NamedOutcome): string {
  const sums = SUMS.filter((sum) => namedOutcomeHits(outcome, sum))
  const [first = 0, second = 0] = sums
  const last = sums.at(-1) ?? 0
  const inARow = sums.length === last - first + 1
  return inARow ? `${first}–${last}` : `${first}, ${second} … ${last}`
}
