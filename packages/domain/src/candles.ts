/**
 * Candles: one for each drawn round. A game's index starts at 0 each game day. Each of the round's
 * three digits, in order, moves the index by (digit − 4.5), so a candle rises exactly when the
 * outcome is long. All values are whole multiples of 0.5, which a number holds exactly.
 */
import type { Digits } from './digits.ts'
import { compareIssues, gameDayOfIssue } from './issues.ts'

export type Candle = {
  /** The index before the first digit. */
  readonly open: number
  /** The index after the third digit. */
  readonly close: number
  /** The lowest and highest index on the way, both ends included. */
  readonly low: number
  readonly high: number
}

/** A candle as sent on the wire: open, close, low, high. */
export type CandleTuple = [open: number, close: number, low: number, high: number]

/** A candle with the number of its round. */
export type RoundCandle = { readonly roundId: string; readonly candle: Candle }

const MIDDLE = 4.5

/** The candle of a draw; `open` is the index before its first digit. */
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

/** Reads a candle from its wire form. */
export function candleFromTuple([open, close, low, high]: Readonly<CandleTuple>): Candle {
  return { open, close, low, high }
}

/**
 * The candles of drawn rounds, oldest first. Each game day starts at 0.
 *
 * @param draws drawn rounds in any order; each day's must be complete from its first draw on
 */
export function candlesOf(draws: readonly { roundId: string; digits: Digits }[]): RoundCandle[] {
  const candles: RoundCandle[] = []
  for (const { roundId, digits } of draws.toSorted((a, b) => compareIssues(a.roundId, b.roundId))) {
    candles.push({ roundId, candle: candleOf(openOf(candles, roundId), digits) })
  }
  return candles
}

/**
 * Adds one draw to existing candles. A round that is already there changes nothing. A late draw (a
 * later round has a candle already) is inserted in its place, and the day's later candles move by
 * the amount by which it moved the index.
 *
 * @param candles oldest first, complete so far; the array is not changed
 */
export function growCandles(
  candles: readonly RoundCandle[],
  { roundId, digits }: { roundId: string; digits: Digits },
): readonly RoundCandle[] {
  let position = candles.length
  while (position > 0 && compareIssues(candleAt(candles, position - 1).roundId, roundId) > 0)
    position--
  const earlier = candles.slice(0, position)
  const later = candles.slice(position)
  if (earlier.at(-1)?.roundId === roundId) return candles
  const candle = candleOf(openOf(earlier, roundId, later), digits)
  const move = candle.close - candle.open
  const moved = later.map((each) =>
    gameDayOfIssue(each.roundId) === gameDayOfIssue(roundId)
      ? { roundId: each.roundId, candle: shifted(each.candle, move) }
      : each,
  )
  return [...earlier, { roundId, candle }, ...moved]
}

/** Where a candle opens: at the day's previous close, else at the next candle's open, else 0. */
function openOf(
  earlier: readonly RoundCandle[],
  roundId: string,
  later: readonly RoundCandle[] = [],
): number {
  const day = gameDayOfIssue(roundId)
  const before = earlier.at(-1)
  if (before && gameDayOfIssue(before.roundId) === day) return before.candle.close
  const after = later[0]
  if (after && gameDayOfIssue(after.roundId) === day) return after.candle.open
  return 0
}

function candleAt(candles: readonly RoundCandle[], position: number): RoundCandle {
  const candle = candles[position]
  if (!candle) throw new Error(`there is no candle ${position}`)
  return candle
}

function shifted({ open, close, low, high }: Candle, by: number): Candle {
  return { open: open + by, close: close + by, low: low + by, high: high + by }
}
