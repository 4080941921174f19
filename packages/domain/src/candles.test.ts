import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NAMED_ROWS } from '../testing/outcome-table.ts'
import { candleFromTuple, candleOf, candlesOf, candleTuple, growCandles } from './candles.ts'
import type { Digits } from './digits.ts'

const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const DRAWS = TEN.flatMap((a) => TEN.flatMap((b) => TEN.map((c): Digits => [a, b, c])))
const LONG_SUMS = NAMED_ROWS.find(({ outcome }) => outcome === 'long')?.sums ?? []

const digit = fc.integer({ min: 0, max: 9 })
const anyDigits = fc.tuple(digit, digit, digit)
/** Draws of up to three days; some rounds of each are missing, as voided rounds are. */
const anyDraws = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: 20, max: 22 }),
      number: fc.integer({ min: 1, max: 1_200 }),
      digits: anyDigits,
    }),
    { maxLength: 40, selector: ({ day, number }) => `${day}/${number}` },
  )
  .map((draws) =>
    draws.map(({ day, number, digits }) => ({
      roundId: `202611${day}${String(number).padStart(3, '0')}`,
      digits,
      at: day * 10_000 + number,
    })),
  )

describe('a candle', () => {
  it('is the path of its digits, rises exactly when the outcome is long, and is exact: 1,000 draws', () => {
    for (const open of [0, -13.5, 271.5, -3_699]) {
      for (const digits of DRAWS) {
        const [a, b, c] = digits
        // Computed in halves, so that all values are whole numbers.
        const path = [2 * open, 2 * (open + a) - 9, 2 * (open + a + b) - 18]
        path.push(2 * (open + a + b + c) - 27)
        const candle = candleOf(open, digits)
        expect({
          open: 2 * candle.open,
          close: 2 * candle.close,
          low: 2 * candle.low,
          high: 2 * candle.high,
        }).toEqual({
          open: path[0],
          close: path[3],
          low: Math.min(...path),
          high: Math.max(...path),
        })
        expect(candle.close > candle.open).toBe(LONG_SUMS.includes(a + b + c))
        expect(candle.close).not.toBe(candle.open)
        expect(candleFromTuple(candleTuple(candle))).toEqual(candle)
      }
    }
  })

  it('is written on the wire as open, close, low, high', () => {
    expect(candleTuple(candleOf(0, [9, 0, 0]))).toEqual([0, -4.5, -4.5, 4.5])
    expect(candleTuple(candleOf(10, [0, 0, 9]))).toEqual([10, 5.5, 1, 10])
  })
})

describe('the candles of rounds', () => {
  it('start at 0 each game day; each opens where the one before closed', () => {
    fc.assert(
      fc.property(anyDraws, (draws) => {
        const candles = candlesOf(draws)
        const ordered = draws.toSorted((a, b) => a.at - b.at)
        expect(candles.map(({ roundId }) => roundId)).toEqual(ordered.map(({ roundId }) => roundId))
        for (const [position, { at, digits }] of ordered.entries()) {
          const day = Math.floor(at / 10_000)
          const before = ordered.filter(
            (each) => Math.floor(each.at / 10_000) === day && each.at < at,
          )
          const sums = before.flatMap((each) => each.digits).reduce((all, each) => all + each, 0)
          expect(candles[position]?.candle).toEqual(candleOf(sums - 13.5 * before.length, digits))
        }
      }),
    )
  })

  it('come out the same whatever the order of the draws, and when each draw is added twice', () => {
    fc.assert(
      fc.property(anyDraws, (draws) => {
        let candles: ReturnType<typeof growCandles> = []
        for (const draw of draws) {
          candles = growCandles(candles, draw)
          expect(growCandles(candles, draw)).toBe(candles)
        }
        expect(candles).toEqual(candlesOf(draws))
      }),
    )
  })

  it('can be extended when the beginning of the day is not loaded', () => {
    const draws = DRAWS.slice(300, 320).map((digits, at) => ({
      roundId: `20261120${101 + at}`,
      digits,
    }))
    const all = candlesOf(draws)
    const [first, ...rest] = all.slice(5, 18)
    if (!first) return expect.fail('no candles')
    let loaded = growCandles([first, ...rest], draws[18] ?? expect.fail())
    loaded = growCandles(loaded, draws[19] ?? expect.fail())
    expect(loaded).toEqual(all.slice(5))
  })

  it('get a late draw before the first that is loaded: it opens where that one did, or at 0 on another day', () => {
    const draws = DRAWS.slice(300, 306).map((digits, at) => ({
      roundId: `20261120${101 + at}`,
      digits,
    }))
    const late = draws[3] ?? expect.fail()
    const loaded = candlesOf(draws.filter((draw) => draw !== late)).slice(3)
    expect(loaded[0]?.candle.open).not.toBe(0)
    expect(growCandles(loaded, late)).toEqual(candlesOf(draws).slice(3))
    const dayBefore = { roundId: '20261119900', digits: late.digits }
    expect(growCandles(loaded, dayBefore)).toEqual([...candlesOf([dayBefore]), ...loaded])
  })
})
