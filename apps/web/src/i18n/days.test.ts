import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  byDay,
  DAYS_MAX,
  dayText,
  QUICK_SPANS,
  queryOfSpan,
  rangeOfSpan,
  spanOfQuery,
  tidyRange,
} from '#src/i18n/days.ts'

const TODAY = '2026-11-20'
const day = fc.integer({ min: -4_000, max: 400 }).map((days) => addDays(TODAY, days))

describe('the days of a list', () => {
  it('are counted with today', () => {
    expect(rangeOfSpan('today', TODAY)).toEqual({ from: TODAY, to: TODAY })
    expect(rangeOfSpan('yesterday', TODAY)).toEqual({ from: '2026-11-19', to: '2026-11-19' })
    expect(rangeOfSpan('week', TODAY)).toEqual({ from: '2026-11-14', to: TODAY })
    expect(rangeOfSpan('month', TODAY)).toEqual({ from: '2026-10-22', to: TODAY })
    expect(rangeOfSpan('thisMonth', TODAY)).toEqual({ from: '2026-11-01', to: TODAY })
    expect(rangeOfSpan('thisMonth', '2027-01-01')).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  })

  it('are always accepted by the server', () => {
    fc.assert(
      fc.property(day, day, (from, to) => {
        const range = tidyRange({ from, to }, TODAY)
        expect(range.from <= range.to).toBe(true)
        expect(range.to <= TODAY && range.from >= '2018-01-01').toBe(true)
        expect(addDays(range.from, DAYS_MAX - 1) >= range.to).toBe(true)
      }),
    )
  })

  it('are written into the address and read back', () => {
    for (const span of [...QUICK_SPANS, { from: '2026-01-05', to: '2026-02-01' }]) {
      const query = { days: null, from: null, to: null, ...queryOfSpan(span) }
      expect(spanOfQuery(query, TODAY)).toEqual(span)
    }
  })

  it('are today if the address has invalid values', () => {
    const nothing = { days: null, from: null, to: null }
    expect(spanOfQuery(nothing, TODAY)).toBe('today')
    expect(spanOfQuery({ ...nothing, days: '<b>' }, TODAY)).toBe('today')
    expect(spanOfQuery({ ...nothing, from: '2026-02-30', to: TODAY }, TODAY)).toBe('today')
    expect(spanOfQuery({ ...nothing, from: '2026-02-01' }, TODAY)).toBe('today')
  })
})

it('cuts a list where the operator’s day changes', () => {
  const items = ['2026-11-20T16:30:00Z', '2026-11-20T16:00:00Z', '2026-11-20T15:59:59Z']
  const days = byDay(items, (at) => dayOf('Asia/Singapore', Date.parse(at)))
  expect(days).toEqual([
    { day: '2026-11-21', items: items.slice(0, 2) },
    { day: '2026-11-20', items: items.slice(2) },
  ])
  expect(byDay([], String)).toEqual([])
})

describe('a day', () => {
  it('has its year if it is not the present one', () => {
    expect(dayText('2026-01-01', { tag: 'en', today: '2026-11-21' })).toBe('Thu, Jan 1')
    expect(dayText('2018-01-01', { tag: 'en', today: '2026-11-21' })).toBe('Mon, Jan 1, 2018')
  })

  it('has the format of the language', () => {
    expect(dayText('2026-11-21', { tag: 'ja', today: '2026-11-21' })).toBe('11月21日(土)')
  })
})
