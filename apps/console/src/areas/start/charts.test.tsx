import { describe, expect, it } from 'vitest'
import { runningFigures } from './charts.tsx'
import { percent, returnBand } from './return-band.ts'

it('the figures of a day’s hours are summed: variances, not deviations', () => {
  const hour = {
    turnover: '100.00',
    payouts: '90.00',
    expected: '96.00',
    deviation: '3.00',
    bets: 1,
  }
  expect(runningFigures([hour, { ...hour, deviation: '4.00' }])).toEqual([
    { turnover: 100, payouts: 90, expected: 96, variance: 9 },
    { turnover: 200, payouts: 180, expected: 192, variance: 25 },
  ])
})

const figures = { turnover: '1000.00', expected: '950.00', deviation: '100.00', bets: 10 }

describe('the return and its band', () => {
  it('are shares of the turnover, 1.96 standard deviations to each side', () => {
    expect(returnBand({ ...figures, payouts: '1100.00' })).toMatchObject({
      fact: 1.1,
      theory: 0.95,
      low: 0.95 - 0.196,
      within: true,
    })
  })

  it('show when chance alone rarely explains the return', () => {
    expect(returnBand({ ...figures, payouts: '1147.00' })?.within).toBe(false)
    expect(returnBand({ ...figures, payouts: '700.00' })?.within).toBe(false)
  })

  it('do not exist without a stake, and are never negative', () => {
    expect(returnBand({ ...figures, turnover: '0.00', payouts: '0.00' })).toBeNull()
    expect(returnBand({ ...figures, deviation: '9000.00', payouts: '0.00' })?.low).toBe(0)
    expect(percent(0.9644)).toBe('96.4%')
  })
})
