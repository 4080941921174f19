import { expect, it } from 'vitest'
import { runningFigures } from './charts.tsx'

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
