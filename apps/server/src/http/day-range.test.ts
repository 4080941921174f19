import { describe, expect, it } from 'vitest'
import { instantsOfDays } from './day-range.ts'

/** 23:59:59.999 on 20 November in Singapore, where the day began at 16:00 of the 19th in UTC. */
const NOW = Date.UTC(2026, 10, 20, 16) - 1

const range = (days: { begin_date?: string; end_date?: string }, now = NOW) =>
  instantsOfDays('Asia/Singapore', now, days)

/** From 0:00 of a day of November 2026 in Singapore to 24:00 of another. */
const days = (first: number, last: number) => ({
  from: Date.UTC(2026, 10, first - 1, 16),
  until: Date.UTC(2026, 10, last, 16),
})

describe('the days of a request', () => {
  it('are today in the operator’s zone if none is named, until and from midnight', () => {
    expect(range({})).toEqual(days(20, 20))
    expect(range({}, NOW + 1)).toEqual(days(21, 21))
  })

  it('are the named days, both included', () => {
    expect(range({ begin_date: '2026-11-02', end_date: '2026-11-05' })).toEqual(days(2, 5))
  })

  it('end today if only the first is named, or with the first if that is later', () => {
    expect(range({ begin_date: '2026-11-18' })).toEqual(days(18, 20))
    expect(range({ begin_date: '2026-11-25' })).toEqual(days(25, 25))
  })

  it('are only the last if that is named alone and before today, and otherwise begin today', () => {
    expect(range({ end_date: '2026-11-18' })).toEqual(days(18, 18))
    expect(range({ end_date: '2026-11-25' })).toEqual(days(20, 25))
  })

  it('have 25 hours on a day on which the clocks are put back', () => {
    const day = { begin_date: '2026-11-01', end_date: '2026-11-01' }
    expect(instantsOfDays('America/New_York', NOW, day)).toEqual({
      from: Date.UTC(2026, 10, 1, 4),
      until: Date.UTC(2026, 10, 2, 5),
    })
  })

  it('are refused in the wrong order, or if they are more than 366', () => {
    expect(range({ begin_date: '2026-11-05', end_date: '2026-11-04' })).toMatchObject({
      refused: 'invalid_input',
      faults: { end_date: 'day_order' },
    })
    expect(range({ begin_date: '2025-11-20', end_date: '2026-11-21' })).toMatchObject({
      faults: { end_date: 'day_range' },
    })
    expect(range({ begin_date: '2025-11-20', end_date: '2026-11-20' })).toHaveProperty('until')
  })
})
