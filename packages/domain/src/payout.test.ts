import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OUTCOME_TABLE, START_ODDS, startOdds } from '../testing/outcome-table.ts'
import {
  allInStake,
  payoutAt,
  payoutMax,
  payoutOfBet,
  payoutOfSelection,
  type Selection,
  totalStake,
} from './payout.ts'

const U = 1_000_000n
const CENT = 10_000n

const stakes = fc.bigInt({ min: 1n, max: 100_000_000_000n }).map((cents) => cents * CENT)
const odds = fc.integer({ min: 1, max: 1_000_000 })
const selections = fc.uniqueArray(
  fc.record({ ruleId: fc.constantFrom(...OUTCOME_TABLE.map((row) => row.id)), oddsMilli: odds }),
  { selector: ({ ruleId }) => ruleId, minLength: 1, maxLength: 36 },
)

/** What a bet pays at a sum by the table, in thousandths of a micro-unit. */
function expectedMilli(stake: bigint, chosen: readonly Selection[], sum: number): bigint {
  let milli = 0n
  for (const { ruleId, oddsMilli } of chosen) {
    const row = OUTCOME_TABLE.find(({ id }) => id === ruleId)
    if (row?.sums.includes(sum)) milli += stake * BigInt(oddsMilli)
  }
  return milli
}

describe('a payout', () => {
  it('is the stake times the odds in the table, for all 1,000 draws × 36 selections in all rooms', () => {
    for (const type of [0, 1, 2, 3] as const) {
      const chosen = startOdds(type)
      for (let draw = 0; draw < 1000; draw++) {
        const sum = Math.floor(draw / 100) + (Math.floor(draw / 10) % 10) + (draw % 10)
        for (const [index, row] of OUTCOME_TABLE.entries()) {
          const selection = chosen[index]
          const written = START_ODDS[type]?.[row.ways]
          if (!selection || !written) return expect.fail('the table and the rules differ')
          const [whole = '', fraction = ''] = written.split('.')
          const forCent = BigInt(whole + fraction.padEnd(3, '0')) * 10n
          const paid = payoutOfSelection(CENT, selection, sum)
          if (paid !== (row.sums.includes(sum) ? forCent : 0n))
            expect.fail(`room ${type}, ${row.outcome}, draw ${draw}: ${paid}`)
        }
      }
    }
  })

  it('is exact for every stake of two decimals and all odds of three', () => {
    fc.assert(
      fc.property(stakes, odds, (stake, oddsMilli) => {
        expect(payoutAt(stake, oddsMilli) * 1000n).toBe(stake * BigInt(oddsMilli))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    [100n * U, 1920, 192n * U],
    [CENT, 1001, 10_010n],
    [CENT, 1, 10n],
    [123_450_000n, 45_714, 5_643_393_300n],
    [1_000_000_000n * U, 960_000, 960_000_000_000n * U],
    [0n, 1920, 0n],
  ])('of %d at %d thousandths is %d', (stake, oddsMilli, payout) => {
    expect(payoutAt(stake, oddsMilli)).toBe(payout)
  })

  it('is refused for a stake for which it would not be exact', () => {
    expect(() => payoutAt(1n, 1920)).toThrow('not exact')
    expect(() => payoutAt(1_234n, 1001)).toThrow('not exact')
    expect(() => payoutAt(CENT, 1.5)).toThrow(RangeError)
  })

  it('of a bet matches the table for any selections, at each of the 28 sums', () => {
    fc.assert(
      fc.property(stakes, selections, (stake, chosen) => {
        let most = 0n
        for (let sum = 0; sum <= 27; sum++) {
          const milli = expectedMilli(stake, chosen, sum)
          expect(payoutOfBet(stake, chosen, sum) * 1000n).toBe(milli)
          if (milli > most) most = milli
        }
        expect(payoutMax(stake, chosen) * 1000n).toBe(most)
      }),
      { numRuns: 300 },
    )
  })

  it('of 100 each on long, short, odd, long-odd and 13 matches the sums worked out by hand', () => {
    const chosen = [1, 2, 3, 11, 413].map((id) => {
      const odds = startOdds(0).find(({ ruleId }) => ruleId === id)
      if (!odds) throw new Error(`no odds for ${id}`)
      return odds
    })
    const at = (sum: number) => payoutOfBet(100n * U, chosen, sum)
    expect(totalStake({ stake: 100n * U, selections: 5 })).toBe(500n * U)
    expect(at(0)).toBe(192n * U)
    expect(at(1)).toBe(384n * U)
    expect(at(13)).toBe(384n * U + 1280n * U)
    expect(at(14)).toBe(192n * U)
    expect(at(15)).toBe(384n * U + 415_500_000n)
    expect(at(27)).toBe(384n * U + 415_500_000n)
    expect(payoutMax(100n * U, chosen)).toBe(1664n * U)
  })

  it('of no selection is zero', () => {
    expect(payoutOfBet(U, [], 13)).toBe(0n)
    expect(payoutMax(U, [])).toBe(0n)
  })
})

describe('all in', () => {
  it.each([
    [100n * U, 1, 99n * U],
    [10_123_456n, 1, 9_120_000n],
    [100n * U, 2, 49_500_000n],
    [101n * U, 3, 33_330_000n],
    [100n * U, 36, 2_750_000n],
    [1_010_000n, 1, CENT],
    [1_009_999n, 1, 0n],
    [1_010_000n, 2, 0n],
    [1_020_000n, 2, CENT],
    [U, 1, 0n],
    [999_999n, 1, 0n],
    [0n, 1, 0n],
    [100n * U, 0, 0n],
  ])('with a balance of %d and %d selections stakes %d on each', (balance, count, stake) => {
    expect(allInStake({ balance, selections: count })).toBe(stake)
  })

  it('spends what a limit leaves, if that is less than the balance without one unit', () => {
    const all = (left: bigint) => allInStake({ balance: 100n * U, left, selections: 2 })
    expect([7_500_000n, 7_509_999n, 99n * U, 500n * U, 0n].map(all)).toEqual([
      ...[3_750_000n, 3_750_000n, 49_500_000n, 49_500_000n, 0n],
    ])
  })

  it('is the largest whole number of cents on each that leaves one unit', () => {
    const balances = fc.bigInt({ min: 0n, max: 10n ** 16n })
    fc.assert(
      fc.property(balances, fc.integer({ min: 1, max: 36 }), (balance, count) => {
        const stake = allInStake({ balance, selections: count })
        expect(stake % CENT).toBe(0n)
        if (balance < U) {
          expect(stake).toBe(0n)
          return
        }
        expect(totalStake({ stake, selections: count })).toBeLessThanOrEqual(balance - U)
        const more = totalStake({ stake: stake + CENT, selections: count })
        expect(more).toBeGreaterThan(balance - U)
      }),
    )
  })
})
