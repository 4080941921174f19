/**
 * Candles: one for each drawn round. A game's index starts at 0 each game day, and each of a
 * round's three digits moves it in turn by (digit − 4.5); so a candle rises exactly when the outcome
 * is long. All values are whole multiples of a half, which a number holds exactly.
 */
import { compareIssues, gameDayOfIssue } from './issues.ts'

/** A draw, in the order in which its digits were drawn; each 0–9. */
export type Digits = readonly [number, number, number]

export type Candle = {
  /** The index before the first digit. */
  readonly open: number
  /** After the third. */
  readonly close: number
  /** The extremes on the way, both ends of it included. */
  readonly low: number
  readonly high: number
}

/** A candle as the wire has it: open, close, low, high. */
export type CandleTuple = [open: number, close: number, low: number, high: number]

/** A candle and the round that it stands for. */
export type RoundCandle = { readonly issue: string; readonly candle: Candle }

const MIDDLE = 4.5

/** The candle of a draw whose round began with the index at `open`. */
export function candleOf(open: number, digits: Digits): Candle {
  let index = open
  let low = open
  let high = open
  for (const digit of digits) {
    index += digit - MIDDLE
    low = Math.min(low, index)
    high = Math.max(high, index)
  }
  return { open, close: index, low, high }
}

/** The wire's form of a candle. */
export function candleTuple({ open, close, low, high }: Candle): CandleTuple {
  return [open, close, low, high]
}

/** Reads the wire's form back. */
export function candleFromTuple([open, close, low, high]: readonly [
  number,
  number,
  number,
  number,
]): Candle {
  return { open, close, low, high }
}

/** Whether a candle rises: its outcome is long. It never stands still. */
export function rises({ open, close }: Candle): boolean {
  return close > open
}

/**
 * The candles of drawn rounds, oldest first: each game day starts at 0.
 *
 * @param draws drawn rounds in any order, each day's without a gap from its first on
 */
export function candlesOf(draws: readonly { issue: string; digits: Digits }[]): RoundCandle[] {
  const candles: RoundCandle[] = []
  for (const { issue, digits } of draws.toSorted((a, b) => compareIssues(a.issue, b.issue))) {
    candles.push({ issue, candle: candleOf(openOf(candles, issue), digits) })
  }
  return candles
}

/**
 * Adds one draw to candles that are there, so that a chart grows as rounds are drawn. A round that
 * is there already changes nothing. One that is drawn late, after rounds that followed it, takes its
 * place, and the day's later candles move by what it moved the index.
 *
 * @param candles oldest first, up to now without a gap; they are not changed
 */
export function growCandles(
  candles: readonly RoundCandle[],
  { issue, digits }: { issue: string; digits: Digits },
): readonly RoundCandle[] {
  let place = candles.length
  while (place > 0 && compareIssues(candleAt(candles, place - 1).issue, issue) > 0) place--
  const earlier = candles.slice(0, place)
  const later = candles.slice(place)
  if (earlier.at(-1)?.issue === issue) return candles
  const candle = candleOf(openOf(earlier, issue, later), digits)
  const move = candle.close - candle.open
  const moved = later.map((each) =>
    gameDayOfIssue(each.issue) === gameDayOfIssue(issue)
      ? { issue: each.issue, candle: shifted(each.candle, move) }
      : each,
  )
  return [...earlier, { issue, candle }, ...moved]
}

/** Where a round's candle opens: where the day's one before closed, or the one after opened; or 0. */
function openOf(
  earlier: readonly RoundCandle[],
  issue: string,
  later: readonly RoundCandle[] = [],
): number {
  const day = gameDayOfIssue(issue)
  const before = earlier.at(-1)
  if (before && gameDayOfIssue(before.issue) === day) return before.candle.close
  const after = later[0]
  if (after && gameDayOfIssue(after.issue) === day) return after.candle.open
  return 0
}

function candleAt(candles: readonly RoundCandle[], place: number): RoundCandle {
  const candle = candles[place]
  if (!candle) throw new Error(`there is no candle ${place}`)
  return candle
}

function shifted({ open, close, low, high }: Candle, by: number): Candle {
  return { open: open + by, close: close + by, low: low + by, high: high + by }
}
