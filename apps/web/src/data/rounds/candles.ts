import type { CandleOnWire } from '@sum28/contract/replies.ts'
import { candleFromTuple, candlesOf, growCandles, type RoundCandle } from '@sum28/domain/candles.ts'
import { type Digits, labelsOfSum, sumOfDigits } from '@sum28/domain/digits.ts'
import { compareIssues } from '@sum28/domain/issues.ts'
import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import type { LatestRounds, PastRound } from '#src/data/rounds/past-round.ts'

export type ChartRound = ReturnType<typeof chartRoundFromWire>

/** A drawn round: its digits, and how they moved the game's index. Voided rounds have no candle. */
export function chartRoundFromWire(candle: CandleOnWire) {
  const digits: Digits = [candle.site_1, candle.site_2, candle.site_3]
  return {
    roundId: candle.issue,
    digits,
    /** Whether a witness saw its book in time. */
    witnessed: candle.witnessed,
    candle: candleFromTuple(candle.cand),
  }
}

/**
 * The rounds of a chart, oldest first: those of its pages, then the latest ones.
 *
 * @param pages from the latest back; in each the rounds are oldest first, without a gap
 */
export function chartRounds(
  pages: readonly (readonly ChartRound[])[],
  latest: LatestRounds | undefined,
): readonly ChartRound[] {
  const rounds = roundsOfPages(pages)
  return latest ? withLatestDraws(rounds, latest) : rounds
}

function roundsOfPages(pages: readonly (readonly ChartRound[])[]): readonly ChartRound[] {
  const rounds: ChartRound[] = []
  for (const page of pages.toReversed()) {
    for (const round of page) {
      const last = rounds.at(-1)
      if (!last || compareIssues(last.roundId, round.roundId) < 0) rounds.push(round)
    }
  }
  return rounds
}

/** A candle page may be older than the latest rounds: it knows no witness that came after it. */
function withWitnesses(
  known: readonly ChartRound[],
  latest: readonly PastRound[],
): readonly ChartRound[] {
  const witnessed = new Set(latest.filter((round) => round.witnessed).map(({ roundId }) => roundId))
  const isLate = (round: ChartRound) => !round.witnessed && witnessed.has(round.roundId)
  if (!known.some(isLate)) return known
  return known.map((round) => (isLate(round) ? { ...round, witnessed: true } : round))
}

/** Adds the latest draws; returns `known` if rounds may be missing between the two. */
function withLatestDraws(
  pages: readonly ChartRound[],
  { rounds, fromFirst }: LatestRounds,
): readonly ChartRound[] {
  const draws = drawnOf(rounds)
  const known = withWitnesses(pages, rounds)
  const first = known[0]
  if (!first) return fromFirst ? joined(candlesOf(draws), draws) : known
  const roundIds = new Set(known.map(({ roundId }) => roundId))
  const newDraws = draws.filter(
    ({ roundId }) => !roundIds.has(roundId) && compareIssues(roundId, first.roundId) > 0,
  )
  if (newDraws.length === 0 || (newDraws.length === draws.length && !fromFirst)) return known
  let candles: readonly RoundCandle[] = known
  for (const draw of newDraws) candles = growCandles(candles, draw)
  return joined(candles, [...known, ...newDraws])
}

/** The six types of the chart's legend: two that colour the candle, four that mark it. */
export const CANDLE_TYPES = ['long', 'short'] as const
export const MARKER_TYPES = ['long-odd', 'long-even', 'short-odd', 'short-even'] as const

/** The types that are switched off in the legend. */
export type HiddenTypes = ReadonlySet<NamedOutcome>

export function lookOf(round: Pick<ChartRound, 'digits'>, hidden: HiddenTypes) {
  const {
    base: [size],
    join,
  } = labelsOfSum(sumOfDigits(round.digits))
  return {
    size,
    /** Drawn faintly, so that the index can still be followed. */
    faded: hidden.has(size),
    marker: hidden.has(join) ? null : join,
  }
}

type Drawn = Omit<ChartRound, 'candle'>

/** Oldest first. */
function drawnOf(latest: readonly PastRound[]): Drawn[] {
  return latest
    .flatMap(({ roundId, digits, witnessed }) =>
      digits ? [{ roundId, digits, witnessed: witnessed === true }] : [],
    )
    .sort((one, other) => compareIssues(one.roundId, other.roundId))
}

function joined(candles: readonly RoundCandle[], draws: readonly Drawn[]): ChartRound[] {
  const drawOf = new Map(draws.map((draw) => [draw.roundId, draw]))
  return candles.map(({ roundId, candle }) => {
    const draw = drawOf.get(roundId)
    if (!draw) throw new Error(`round ${roundId} has a candle and no digits`)
    return { roundId, candle, digits: draw.digits, witnessed: draw.witnessed }
  })
}
