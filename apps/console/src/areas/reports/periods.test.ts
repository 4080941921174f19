import { describe, expect, it } from 'vitest'
import { periodOf } from './periods.ts'

describe('a period of a report', () => {
  it('ends with the present day, unless the period is over', () => {
    const of = (name: Parameters<typeof periodOf>[0], today = '2026-11-22') => {
      const { begin_date, end_date } = periodOf(name, today)
      return [begin_date, end_date]
    }
    expect(of('today')).toEqual(['2026-11-22', '2026-11-22'])
    expect(of('yesterday')).toEqual(['2026-11-21', '2026-11-21'])
    expect(of('week')).toEqual(['2026-11-16', '2026-11-22'])
    expect(of('thirty')).toEqual(['2026-10-24', '2026-11-22'])
    expect(of('month')).toEqual(['2026-11-01', '2026-11-22'])
    expect(of('lastMonth')).toEqual(['2026-10-01', '2026-10-31'])
    expect(of('lastMonth', '2028-03-31')).toEqual(['2028-02-01', '2028-02-29'])
    expect(of('lastMonth', '2027-01-01')).toEqual(['2026-12-01', '2026-12-31'])
  })
})
