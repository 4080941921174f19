/** Draws as the trend table takes them. */
import { type Trend, type TrendRound, type TrendRow, trendOf } from '@sum28/domain/trends.ts'
import type { Draw } from '#src/data/draw.ts'

/** The table of some rounds; a voided one has no sum. */
export function trendOfDraws(draws: readonly Pick<Draw, 'issue' | 'digits'>[]): Trend {
  return trendOf(draws.map(trendRound))
}

function trendRound({ issue, digits }: Pick<Draw, 'issue' | 'digits'>): TrendRound {
  return { issue, sum: digits && digits[0] + digits[1] + digits[2] }
}

/**
 * The rows in blocks, newest first, of which a browser lays out only those in sight. They are cut
 * from the oldest on, so that a row that comes leaves all blocks but the newest as they are.
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
