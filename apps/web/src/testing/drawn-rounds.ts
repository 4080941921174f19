/** Raw draws for tests of the screens that show past rounds. */
import type { IssueResult } from '@sum28/contract/replies.ts'
import { addDays } from '@sum28/domain/schedule.ts'
import * as fc from 'fast-check'

/** The result of a round: its digits, or null if it was voided. */
export type RawRound = { readonly roundId: string; readonly digits: readonly number[] | null }

const digit = fc.integer({ min: 0, max: 9 })

/** Rounds of one day or two without a gap in their numbers, oldest first; some of them voided. */
export const rawRounds: fc.Arbitrary<RawRound[]> = fc
  .array(
    fc.array(fc.option(fc.tuple(digit, digit, digit), { freq: 8 }), {
      minLength: 0,
      maxLength: 60,
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((days) =>
    days.flatMap((rounds, day) =>
      rounds.map((digits, at) => ({
        roundId: `${addDays('2026-11-30', day).replaceAll('-', '')}${String(at + 1).padStart(3, '0')}`,
        digits,
      })),
    ),
  )

/** The server's reply for a round. The labels are computed from the rules, not by the app's code. */
export function wireResult({ roundId, digits }: RawRound): IssueResult {
  const sum = digits === null ? null : digits.reduce((total, each) => total + each, 0)
  const size = sum !== null && sum >= 14 ? 'long' : 'short'
  const parity = sum !== null && sum % 2 === 0 ? 'even' : 'odd'
  return {
    issue: roundId,
    site_1: digits?.[0] ?? null,
    site_2: digits?.[1] ?? null,
    site_3: digits?.[2] ?? null,
    code: sum,
    base: sum === null ? ['', ''] : [size, parity],
    join: sum === null ? '' : `${size}-${parity}`,
    status: sum === null ? 'voided' : 'drawn',
    drawn_at: 1_795_000_000,
    witnessed: true,
  }
}
