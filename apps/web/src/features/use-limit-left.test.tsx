import { describe, expect, it } from 'vitest'
import type { Limit } from '#src/data/protection.ts'
import { tightestLimit } from '#src/features/use-limit-left.ts'

function limit(changed: Partial<Limit>): Limit {
  return {
    kind: 'stake',
    period: 'day',
    own: null,
    amount: null,
    by: null,
    used: 0n,
    left: null,
    nextPeriodAt: 1,
    raise: null,
    ...changed,
  }
}

const NOW = 0

describe('the tightest limit', () => {
  it('is the one with the least amount left, among the given kinds', () => {
    const limits = [
      limit({ left: 50n }),
      limit({ kind: 'loss', left: 30n }),
      limit({ kind: 'deposit', left: 10n }),
      limit({ period: 'month' }),
    ]
    expect(tightestLimit(limits, ['stake', 'loss'], NOW)).toBe(limits[1])
    expect(tightestLimit(limits, ['deposit'], NOW)).toBe(limits[2])
  })

  it('is, among several with the same rest, the one whose period ends last', () => {
    const limits = [
      limit({ left: 0n, nextPeriodAt: 1 }),
      limit({ left: 0n, period: 'month', nextPeriodAt: 3 }),
      limit({ left: 0n, period: 'week', nextPeriodAt: 2 }),
    ]
    expect(tightestLimit(limits, ['stake'], NOW)).toBe(limits[1])
  })

  it('is none whose period is over', () => {
    const limits = [limit({ left: 5n, nextPeriodAt: 1 }), limit({ left: 9n, nextPeriodAt: 2 })]
    expect(tightestLimit(limits, ['stake'], 1)).toBe(limits[1])
  })

  it('does not exist if no limit is set', () => {
    expect(tightestLimit([limit({})], ['stake', 'loss'], NOW)).toBeNull()
  })
})
