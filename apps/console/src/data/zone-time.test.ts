import { expect, it } from 'vitest'
import { instantOf, typedTime } from './zone-time.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000

it.each([
  ['2026-11-22T10:30', 'Asia/Singapore', '2026-11-22T02:30:00Z'],
  ['2026-01-01T00:00', 'UTC', '2026-01-01T00:00:00Z'],
  ['2026-07-01T12:00', 'Europe/Berlin', '2026-07-01T10:00:00Z'],
  // The clocks go back at 3:00 of this day, and forward at 2:00 of the other.
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30:00Z'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
])('%s in %s is %s, and is shown as it was typed', (text, zone, iso) => {
  expect(instantOf(text, zone)).toBe(seconds(iso))
  expect(typedTime(seconds(iso), zone)).toBe(text)
})

it.each(['', 'soon', '2026-11-22', '2026-13-01T00:00'])('%j is no time', (text) => {
  expect(instantOf(text, 'UTC')).toBeNull()
})
