import { compareIssues } from '@sum28/domain/issues.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartTimeOf, roundAtChartTime } from '#src/screens/charts/candle-chart.tsx'

const round = fc
  .record({
    date: fc.date({
      min: new Date('2018-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    }),
    number: fc.integer({ min: 1, max: 15_000 }),
  })
  .map(({ date, number }) => ({ day: date.toISOString().slice(0, 10), number }))

const issueOf = ({ day, number }: { day: string; number: number }) =>
  `${day.replaceAll('-', '')}${String(number).padStart(3, '0')}`

describe('a round’s place on the time axis', () => {
  it('follows the order of the rounds', () => {
    fc.assert(
      fc.property(round, round, (one, other) => {
        const order = compareIssues(issueOf(one), issueOf(other))
        const distance = chartTimeOf(issueOf(one)) - chartTimeOf(issueOf(other))
        expect(Math.sign(distance)).toBe(Math.sign(order))
      }),
    )
  })

  it('is converted back to the round', () => {
    fc.assert(
      fc.property(round, (each) => {
        expect(roundAtChartTime(chartTimeOf(issueOf(each)))).toEqual(each)
      }),
    )
  })

  it('begins a day of the axis with each game day, and a minute with each twelfth round', () => {
    expect(chartTimeOf('20261121001') - 5).toBe(Date.UTC(2026, 10, 21) / 1_000)
    expect(chartTimeOf('20261121012') % 60).toBe(0)
  })

  it('is refused for a number that is not a round’s', () => {
    for (const roundId of ['', 'x', '2026112199999', '20261121-01']) {
      expect(() => chartTimeOf(roundId)).toThrow()
    }
  })
})
