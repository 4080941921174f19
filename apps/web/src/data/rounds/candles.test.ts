/**
 * Goal: a chart that grows draw by draw equals a newly loaded one. The candles are proved in packages/domain.
 * Method: random raw draws.
 */
import { candlesOf, candleTuple } from '@sum28/domain/candles.ts'
import { type Digits, labelsOfSum, sumOfDigits } from '@sum28/domain/digits.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChartRound,
  chartRoundFromWire,
  chartRounds,
  lookOf,
} from '#src/data/rounds/candles.ts'
import { LATEST_COUNT, latestRounds, pastRoundFromWire } from '#src/data/rounds/past-round.ts'
import { type RawRound, rawRounds, wireResult } from '#src/testing/drawn-rounds.ts'

/** What the server answers for drawn rounds, oldest first. */
function chartOf(rounds: readonly RawRound[]): ChartRound[] {
  const drawn = rounds.flatMap(({ roundId, digits }) =>
    digits ? [{ roundId, digits: digits as unknown as Digits, witnessed: true }] : [],
  )
  return candlesOf(drawn).map(({ roundId, candle }, at) => {
    const [site_1, site_2, site_3] = drawn[at]?.digits ?? [0, 0, 0]
    const sum = site_1 + site_2 + site_3
    return chartRoundFromWire({
      issue: roundId,
      cand: candleTuple(candle),
      cand_code: labelsOfSum(sum).join,
      code: sum,
      site_1,
      site_2,
      site_3,
      witnessed: true,
    })
  })
}

const latestOf = (rounds: readonly RawRound[]) =>
  latestRounds(
    rounds
      .map((round) => pastRoundFromWire(wireResult(round)))
      .reverse()
      .slice(0, LATEST_COUNT),
  )

describe('the chart', () => {
  it('shows of each drawn round its outcome and its joint outcome', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        for (const round of chartOf(rounds)) {
          const sum = sumOfDigits(round.digits)
          const size = sum >= 14 ? 'long' : 'short'
          const marker = `${size}-${sum % 2 ? 'odd' : 'even'}`
          expect(lookOf(round, new Set())).toEqual({ size, faded: false, marker })
        }
      }),
    )
  })

  it('with added draws equals a newly loaded one', () => {
    const cut = fc.tuple(rawRounds, fc.nat(30))
    fc.assert(
      fc.property(cut, ([rounds, missed]) => {
        const earlierChart = chartOf(rounds.slice(0, Math.max(0, rounds.length - missed)))
        const wholeChart = chartOf(rounds)
        const newChart = chartRounds([earlierChart], latestOf(rounds))
        // One round of overlap is enough, and none is needed where the latest rounds are all.
        const drawn = rounds
          .slice(0, Math.max(0, rounds.length - missed))
          .slice(missed - LATEST_COUNT)
        const touching = drawn.some(({ digits }) => digits !== null)
        if (touching || rounds.length < LATEST_COUNT) expect(newChart).toEqual(wholeChart)
        else expect([earlierChart, wholeChart]).toContainEqual(newChart)
      }),
    )
  })

  it('stays unchanged if rounds may be missing between it and the latest draws', () => {
    const rounds = Array.from({ length: 160 }, (_, at) => ({
      roundId: `20261121${String(at + 1).padStart(3, '0')}`,
      digits: [at % 10, 4, 5],
    }))
    const [early, late] = [chartOf(rounds.slice(0, 100)), chartOf(rounds.slice(0, 101))]
    expect(chartRounds([early], latestOf(rounds))).toEqual(early)
    expect(chartRounds([[]], latestOf(rounds))).toEqual([])
    expect(chartRounds([late], latestOf(rounds))).toEqual(chartOf(rounds))
  })

  it('has the late witness that the latest draws have', () => {
    const rounds = [{ roundId: '20261121001', digits: [1, 2, 3] }]
    const page = chartOf(rounds).map((round) => ({ ...round, witnessed: false }))
    expect(chartRounds([page], latestOf(rounds))).toEqual(chartOf(rounds))
  })

  it('joins its pages into one row, oldest first, each round once', () => {
    fc.assert(
      fc.property(rawRounds, fc.integer({ min: 1, max: 40 }), (rounds, size) => {
        const chart = chartOf(rounds)
        const pages: ChartRound[][] = []
        for (let end = chart.length; end > 0; end -= size) {
          pages.push(chart.slice(Math.max(0, end - size), end))
        }
        expect(chartRounds(pages, undefined)).toEqual(chart)
        expect(chartRounds([...pages, pages.at(-1) ?? []], undefined)).toEqual(chart)
      }),
    )
  })
})

describe('the legend', () => {
  it('fades a candle whose size is off, and drops a marker whose outcome is off', () => {
    const round = { digits: [9, 9, 9] as const }
    expect(lookOf(round, new Set(['long']))).toEqual({
      size: 'long',
      faded: true,
      marker: 'long-odd',
    })
    expect(lookOf(round, new Set(['long-odd', 'short']))).toEqual({
      size: 'long',
      faded: false,
      marker: null,
    })
  })
})
