import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NAMED_ROWS } from '../testing/outcome-table.ts'
import { TREND_COLUMNS, type TrendRound, trendOf } from './trends.ts'

/** The sums that each column covers, from the hand-written table. */
const SUMS_OF = TREND_COLUMNS.map(
  (column) => NAMED_ROWS.find(({ outcome }) => outcome === column)?.sums ?? [],
)

const anyRounds = fc.array(fc.option(fc.integer({ min: 0, max: 27 }), { nil: null, freq: 12 }), {
  maxLength: 60,
})

function numbered(sums: readonly (number | null)[]): TrendRound[] {
  return sums.map((sum, at) => ({
    roundId: `20261120${String(at + 1).padStart(3, '0')}`,
    sum,
    witnessed: at % 2 === 0,
  }))
}

/** The longest run for which `is` holds, found by trying every run. */
function longest(sums: readonly number[], is: (sum: number) => boolean): number {
  let most = 0
  for (let from = 0; from < sums.length; from++) {
    for (let until = from + 1; until <= sums.length; until++) {
      if (sums.slice(from, until).every(is)) most = Math.max(most, until - from)
    }
  }
  return most
}

/** For how many sums at the end of the list `is` holds. */
function atEnd(sums: readonly number[], is: (sum: number) => boolean): number {
  const last = sums.findLastIndex((sum) => !is(sum))
  return sums.length - 1 - last
}

describe('the trend table', () => {
  it('has the eight columns in their order', () => {
    expect(TREND_COLUMNS.join(' ')).toBe(
      'long-odd short-odd long-even short-even long short odd even',
    )
  })

  it('fills, for each of the 28 sums, the three columns that cover it', () => {
    for (let sum = 0; sum <= 27; sum++) {
      const { rows } = trendOf([{ roundId: '20261120001', sum, witnessed: true }])
      expect(rows[0]?.cells).toEqual(SUMS_OF.map((sums) => (sums.includes(sum) ? 0 : 1)))
      expect(rows[0]?.cells?.filter((cell) => cell === 0)).toHaveLength(3)
    }
  })

  it('counts hits, absences and longest runs as a search of the raw sums does', () => {
    fc.assert(
      fc.property(anyRounds, (sums) => {
        const rounds = numbered(sums)
        const trend = trendOf(rounds)
        const drawn = sums.filter((sum) => sum !== null)
        expect(trend.drawn).toBe(drawn.length)
        expect(trend.rows.map(({ cells: _, ...round }) => round)).toEqual(rounds)
        for (const [column, covered] of SUMS_OF.entries()) {
          const hit = (sum: number) => covered.includes(sum)
          const miss = (sum: number) => !covered.includes(sum)
          expect(trend.foot[column]).toEqual({
            hits: drawn.filter(hit).length,
            longestRun: longest(drawn, hit),
            longestAbsence: longest(drawn, miss),
            run: atEnd(drawn, hit),
            absence: atEnd(drawn, miss),
          })
          for (const [at, row] of trend.rows.entries()) {
            const before = sums.slice(0, at + 1).filter((sum) => sum !== null)
            const cell = sums[at] === null ? undefined : atEnd(before, miss)
            expect(row.cells?.[column]).toBe(cell)
          }
        }
      }),
    )
  })

  it('comes out the same whatever the order of the rounds', () => {
    fc.assert(
      fc.property(
        anyRounds.chain((sums) => {
          const rounds = numbered(sums)
          const shuffled = fc.shuffledSubarray(rounds, { minLength: rounds.length })
          return fc.tuple(fc.constant(rounds), shuffled)
        }),
        ([rounds, shuffled]) => {
          expect(trendOf(shuffled)).toEqual(trendOf(rounds))
        },
      ),
    )
  })

  it('is empty for a day without rounds', () => {
    const nothing = { hits: 0, longestRun: 0, longestAbsence: 0, run: 0, absence: 0 }
    expect(trendOf([])).toEqual({ rows: [], foot: Array(8).fill(nothing), drawn: 0 })
  })
})
