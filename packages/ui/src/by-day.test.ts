import { expect, it } from 'vitest'
import { byDay } from '#src/by-day.ts'

it('cuts a list where the operator’s day changes', () => {
  const items = ['2026-11-20T16:30:00Z', '2026-11-20T16:00:00Z', '2026-11-20T15:59:59Z']
  const days = byDay(items, { zone: 'Asia/Singapore', at: Date.parse })
  expect(days).toEqual([
    { day: '2026-11-21', items: items.slice(0, 2) },
    { day: '2026-11-20', items: items.slice(2) },
  ])
  expect(byDay([], { zone: 'UTC', at: Date.parse })).toEqual([])
})
