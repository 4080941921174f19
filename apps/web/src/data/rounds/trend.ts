/** Past rounds as the trend table takes them. */
import { sumOfDigits } from '@sum28/domain/digits.ts'
import { type Trend, type TrendRound, type TrendRow, trendOf } from '@sum28/domain/trends.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'

/** The table of some rounds; a voided one has no sum. */
export function trendOfRounds(rounds: readonly Pick<PastRound, 'roundId' | 'digits'>[]): Trend {
  return trendOf(rounds.map(trendRound))
}

function trendRound({ roundId, digits }: Pick<PastRound, 'roundId' | 'digits'>): TrendRound {
  return { roundId, sum: digits && sumOfDigits(digits) }
}

/**
 * The rows in blocks, newest first; the browser lays out only visible blocks. Blocks are counted
 * from the oldest row, so that a new row changes only the first block.
 */
export function rowBlocks(
  rows: readonly TrendRow[],
  size: number,
): readonly (readonly TrendRow[])[] {
  const blocks: TrendRow[][] = []
  for (let at = 0; at < rows.length; at += size) {
    blocks.push(rows.slice(at, at + size).reverse())
  }
  return blocks.reverse()
}
