/**
 * Goal: each figure of the trend table, also of its footer, follows from the raw draws.
 * Method: random raw draws; the test counts every cell again by going back from it.
 */
import { TREND_COLUMNS } from '@sum28/domain/trends.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pastRoundFromWire } from '#src/data/rounds/past-round.ts'
import { rowBlocks, trendOfRounds } from '#src/data/rounds/use-rounds.ts'
import { type RawRound, rawRounds, wireResult } from '#src/testing/drawn-rounds.ts'

const tableOf = (rounds: readonly RawRound[]) =>
  trendOfRounds(rounds.map((round) => pastRoundFromWire(wireResult(round))).reverse())

const sumOf = ({ digits }: RawRound) => digits?.reduce((total, digit) => total + digit, 0)

/** The sums that a column stands for, spelt out. */
const SUMS: Record<string, readonly number[]> = {
  'long-odd': [15, 17, 19, 21, 23, 25, 27],
  'short-odd': [1, 3, 5, 7, 9, 11, 13],
  'long-even': [14, 16, 18, 20, 22, 24, 26],
  'short-even': [0, 2, 4, 6, 8, 10, 12],
  long: [14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27],
  short: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  odd: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27],
  even: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26],
}

const ORDER = ['long-odd', 'short-odd', 'long-even', 'short-even', 'long', 'short', 'odd', 'even']

describe('the trend table', () => {
  it('has the eight columns in their order', () => {
    expect(TREND_COLUMNS).toEqual(ORDER)
  })

  it('fills hits, counts misses, and does not count voided rounds', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const { rows } = tableOf(rounds)
        expect(rows.map(({ roundId }) => roundId)).toEqual(rounds.map(({ roundId }) => roundId))
        rows.forEach((row, at) => {
          const round = rounds[at]
          if (!round?.digits) {
            expect(row).toMatchObject({ sum: null, cells: null })
            return
          }
          expect(row.sum).toBe(sumOf(round))
          expect(row.cells).toEqual(ORDER.map((column) => awayAt(rounds, at, column)))
        })
      }),
    )
  })

  it('has hits, longest run, longest absence and present absence in its footer', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const { foot, drawn } = tableOf(rounds)
        const sums = rounds.map(sumOf).filter((sum) => sum !== undefined)
        expect(drawn).toBe(sums.length)
        ORDER.forEach((column, at) => {
          // A word of H and M; its stretches are the runs and absences.
          const word = sums.map((sum) => (SUMS[column]?.includes(sum) ? 'H' : 'M')).join('')
          const longest = (letter: string) =>
            Math.max(0, ...(word.match(new RegExp(`${letter}+`, 'g')) ?? []).map((s) => s.length))
          expect(foot[at]).toMatchObject({
            hits: word.split('H').length - 1,
            longestRun: longest('H'),
            longestAbsence: longest('M'),
            absence: /M*$/.exec(word)?.[0].length,
          })
        })
      }),
    )
  })

  it('is empty on a day without rounds', () => {
    const { rows, foot, drawn } = tableOf([])
    expect({ rows, drawn }).toEqual({ rows: [], drawn: 0 })
    expect(foot.every(({ hits, absence }) => hits === 0 && absence === 0)).toBe(true)
  })

  it('has blocks, newest round first; a new round changes only the first block', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const { rows } = tableOf(rounds)
        const blocks = rowBlocks(rows, 7)
        expect(blocks.flat()).toEqual(rows.toReversed())
        expect(blocks.slice(1).every((block) => block.length === 7)).toBe(true)
      }),
    )
  })
})

/** For how many drawn rounds a column has been away at a row: 0 where it hit. */
function awayAt(rounds: readonly RawRound[], at: number, column: string): number {
  let away = 0
  for (const round of rounds.slice(0, at + 1).reverse()) {
    const sum = sumOf(round)
    if (sum === undefined) continue
    if (SUMS[column]?.includes(sum)) return away
    away++
  }
  return away
}
