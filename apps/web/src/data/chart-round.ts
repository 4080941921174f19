/** The rounds of a candlestick chart, oldest first, which grows draw by draw; and its legend. */
import type { WireCandle } from '@sum28/contract/replies.ts'
import {
  candleFromTuple,
  candlesOf,
  type Digits,
  growCandles,
  type RoundCandle,
} from '@sum28/domain/candles.ts'
import { compareIssues } from '@sum28/domain/issues.ts'
import { type JointOutcome, labelsOfSum, type NamedOutcome } from '@sum28/domain/outcomes.ts'
import type { InfiniteData } from '@tanstack/react-query'
import { LATEST_COUNT, type PastDraw } from '#src/data/past-draw.ts'

/** A drawn round: its digits, and how they moved the game's index. Voided rounds have no candle. */
export type ChartRound = RoundCandle & { readonly digits: Digits }

/** Pages from the latest back; in each the rounds are oldest first. */
export type ChartPages = InfiniteData<readonly ChartRound[]>

export function chartRoundFromWire(candle: WireCandle): ChartRound {
  return {
    issue: candle.issue,
    digits: [candle.site_1, candle.site_2, candle.site_3],
    candle: candleFromTuple(candle.cand),
  }
}

/** All rounds that are loaded, oldest first. */
export function roundsOfPages({ pages }: Pick<ChartPages, 'pages'>): readonly ChartRound[] {
  const rounds: ChartRound[] = []
  for (const page of pages.toReversed()) {
    for (const round of page) {
      const last = rounds.at(-1)
      if (!last || compareIssues(last.issue, round.issue) < 0) rounds.push(round)
    }
  }
  return rounds
}

/**
 * A page of rounds with the latest draws added: the very same page where it has them all, and null
 * where there may be rounds between the two, so that the chart has to be loaded anew.
 *
 * @param known oldest first, without a gap
 * @param latest newest first; the {@link LATEST_COUNT} latest rounds, or all where there are fewer
 */
export function withLatestRounds(
  known: readonly ChartRound[],
  latest: readonly PastDraw[],
): readonly ChartRound[] | null {
  const all = latest.length < LATEST_COUNT
  const draws = drawnOf(latest)
  const first = known[0]
  if (!first) {
    if (draws.length === 0) return known
    return all ? joined(candlesOf(draws), draws) : null
  }
  const issues = new Set(known.map(({ issue }) => issue))
  const news = draws.filter(
    ({ issue }) => !issues.has(issue) && compareIssues(issue, first.issue) > 0,
  )
  if (news.length === 0) return known
  if (news.length === draws.length && !all) return null
  let candles: readonly RoundCandle[] = known
  for (const draw of news) candles = growCandles(candles, draw)
  return joined(candles, [...known, ...news])
}

/** The sum of a round's digits. */
export function sumOf({ digits: [first, second, third] }: Pick<ChartRound, 'digits'>): number {
  return first + second + third
}

/** The six types of the chart's legend: two that colour the candle, four that mark it. */
export const CANDLE_TYPES = ['long', 'short'] as const
export const MARKER_TYPES = ['long-odd', 'long-even', 'short-odd', 'short-even'] as const

/** The types that are switched off in the legend. */
export type HiddenTypes = ReadonlySet<NamedOutcome>

export type CandleLook = {
  readonly size: 'long' | 'short'
  /** Shown as a mere shadow, so that the index can still be followed. */
  readonly faded: boolean
  readonly marker: JointOutcome | null
}

/** How a round is drawn. */
export function lookOf(round: Pick<ChartRound, 'digits'>, hidden: HiddenTypes): CandleLook {
  const {
    base: [size],
    join,
  } = labelsOfSum(sumOf(round))
  return { size, faded: hidden.has(size), marker: hidden.has(join) ? null : join }
}

type Drawn = { readonly issue: string; readonly digits: Digits }

/** Oldest first. */
function drawnOf(latest: readonly PastDraw[]): Drawn[] {
  return latest
    .flatMap(({ issue, digits }) => (digits ? [{ issue, digits }] : []))
    .sort((one, other) => compareIssues(one.issue, other.issue))
}

function joined(candles: readonly RoundCandle[], draws: readonly Drawn[]): ChartRound[] {
  const digitsOf = new Map(draws.map(({ issue, digits }) => [issue, digits]))
  return candles.map(({ issue, candle }) => {
    const digits = digitsOf.get(issue)
    if (!digits) throw new Error(`round ${issue} has a candle and no digits`)
    return { issue, candle, digits }
  })
}
