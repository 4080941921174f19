/**
 * The trend table: a row for each drawn round, eight columns of outcomes. A cell is filled when its
 * outcome hit; otherwise it shows how many rounds the outcome has been absent.
 */
import { compareIssues } from './issues.ts'
import { type NamedOutcome, namedOutcomeHits } from './outcomes.ts'

/** The columns, in their order. */
export const TREND_COLUMNS = [
  'long-odd',
  'short-odd',
  'long-even',
  'short-even',
  'long',
  'short',
  'odd',
  'even',
] as const satisfies readonly NamedOutcome[]

/** A round of the table; a voided one has no sum. */
export type TrendRound = {
  readonly roundId: string
  readonly sum: number | null
  /** Whether a witness saw its book in time; null without a book. */
  readonly witnessed: boolean | null
}

export type TrendRow = TrendRound & {
  /**
   * A cell for each column: 0 when the outcome hit, else for how many drawn rounds of the table it
   * has been absent, this one included. Null for a voided round, which is not counted.
   */
  readonly cells: readonly number[] | null
}

/** The totals of a column, all counted in drawn rounds; all 0 in an empty table. */
export type TrendTally = {
  /** How often it hit. */
  readonly hits: number
  /** Its longest run of hits one after another. */
  readonly longestRun: number
  /** Its longest absence. */
  readonly longestAbsence: number
  /** The present run of hits; 0 when the last draw missed. */
  readonly run: number
  /** For how many draws it has been absent up to now; 0 when the last draw hit. */
  readonly absence: number
}

export type Trend = {
  /** Oldest first. */
  readonly rows: readonly TrendRow[]
  /** A tally for each column. */
  readonly foot: readonly TrendTally[]
  /** How many rounds were drawn: all rows except voided ones. */
  readonly drawn: number
}

const NOTHING_YET: TrendTally = {
  hits: 0,
  longestRun: 0,
  longestAbsence: 0,
  run: 0,
  absence: 0,
}

/**
 * The table of some rounds, given in any order.
 *
 * @param rounds results; sums are 0–27
 */
export function trendOf(rounds: readonly TrendRound[]): Trend {
  const rows: TrendRow[] = []
  let foot: readonly TrendTally[] = TREND_COLUMNS.map(() => NOTHING_YET)
  let drawn = 0
  for (const round of rounds.toSorted((a, b) => compareIssues(a.roundId, b.roundId))) {
    if (round.sum !== null) {
      foot = tallied(foot, round.sum)
      drawn += 1
    }
    rows.push(rowOf(round, foot))
  }
  return { rows, foot, drawn }
}

function rowOf(round: TrendRound, foot: readonly TrendTally[]): TrendRow {
  const { roundId, sum, witnessed } = round
  const cells = sum === null ? null : foot.map(({ absence }) => absence)
  return { roundId, sum, witnessed, cells }
}

function tallied(foot: readonly TrendTally[], sum: number): readonly TrendTally[] {
  return foot.map((tally, at) => {
    const column = TREND_COLUMNS[at]
    if (!column) throw new Error(`the trend table has no column ${at}`)
    const hit = namedOutcomeHits(column, sum)
    const run = hit ? tally.run + 1 : 0
    const absence = hit ? 0 : tally.absence + 1
    return {
      hits: tally.hits + (hit ? 1 : 0),
      longestRun: Math.max(tally.longestRun, run),
      longestAbsence: Math.max(tally.longestAbsence, absence),
      run,
      absence,
    }
  })
}
