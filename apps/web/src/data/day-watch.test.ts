import { forgetServerClock } from '@sum28/ui/server-clock.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchDay } from '#src/data/day-watch.ts'

const page = new EventTarget()

beforeEach(() => {
  // As at the app’s start, whatever other tests of this process have heard.
  forgetServerClock()
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('reports a new day at midnight in the operator’s time zone, in any time zone of the device', () => {
  vi.setSystemTime('2026-11-20T15:59:30.500Z')
  const days: string[] = []
  const stop = watchDay('Asia/Singapore', (day) => days.push(day))
  vi.advanceTimersByTime(29_499)
  expect(days).toEqual([])
  vi.advanceTimersByTime(1)
  expect(days).toEqual(['2026-11-21'])
  vi.advanceTimersByTime(24 * 60 * 60_000)
  expect(days).toEqual(['2026-11-21', '2026-11-22'])
  stop()
  vi.advanceTimersByTime(48 * 60 * 60_000)
  expect(days).toHaveLength(2)
})

it('reports it at once when a page that was hidden at midnight is visible again', () => {
  vi.setSystemTime('2026-11-20T15:00:00Z')
  const days: string[] = []
  const stop = watchDay('Asia/Singapore', (day) => days.push(day))
  // Timers stand still while a device sleeps; its clock does not.
  vi.setSystemTime('2026-11-21T02:00:00Z')
  page.dispatchEvent(new Event('visibilitychange'))
  expect(days).toEqual(['2026-11-21'])
  stop()
})
