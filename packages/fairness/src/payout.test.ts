import { RULES, SUMS } from '@sum28/domain/outcomes.ts'
import { payoutOfSelection } from '@sum28/domain/payout.ts'
import { expect, it } from 'vitest'
import { payoutOf } from './payout.ts'

const digitsOf = (sum: number) => [
  Math.min(sum, 9),
  Math.min(Math.max(sum - 9, 0), 9),
  Math.max(sum - 18, 0),
]

it.each(RULES)('pays rule $id as the server does, for each sum', ({ id }) => {
  for (const sum of SUMS) {
    const bet = { playType: `[${id}]`, odds: ['1925'], stake: '10010000' }
    expect(payoutOf(bet, digitsOf(sum))).toBe(
      payoutOfSelection(10_010_000n, { ruleId: id, oddsMilli: 1_925 }, sum),
    )
  }
})

it('adds up the choices that hit, and pays nothing for a rule that is none', () => {
  const stake = '100000000'
  const bet = { playType: '[2,408,1,9]', odds: ['1920', '17500', '1920', '5000'], stake }
  expect(payoutOf(bet, [2, 5, 1])).toBe(1_942_000_000n)
})

it('has no payout that is no whole number of micro-units', () => {
  expect(payoutOf({ playType: '[2]', odds: ['1925'], stake: '1' }, [0, 0, 0])).toBeNull()
})
