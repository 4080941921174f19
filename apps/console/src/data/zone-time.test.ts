import { expect, it } from 'vitest'
import { instantOf, typedTime } from './zone-time.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000

it.each([
  ['2026-11-22T10:30', 'Asia/Singapore', '2026-11-22T02:30:00Z'],
  ['2026-01-01T00:00', 'UTC', '2026-01-01T00:00:00Z'],
  ['2026-07-01T12:00', 'Europe/Berlin', '2026-07-01T10:00:00Z'],
  // The clocks go back at 3:00 of this day, and forward at 2:00 of the other.
  ['2026-10-25T01:30', 'Europe/Berlin', '2026-10-24T23:30:00Z'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30:00Z'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
])('%s in %s is %s, and is shown as it was typed', (text, zone, iso) => {
  expect(instantOf(text, zone)).toBe(seconds(iso))
  expect(typedTime(seconds(iso), zone)).toBe(text)
})

it.each([
  ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:00:00Z'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00:00Z'],
])('in %s the clock skips %s: it is the end of the gap', (zone, text, iso) => {
  expect(instantOf(text, zone)).toBe(seconds(iso))
})

it.each(['', 'soon', '2026-11-22', '2026-13-01T00:00', '2026-11-22T24:00', '12026-11-22T10:30'])(
  '%j is no time',
  (text) => {
    expect(instantOf(text, 'UTC')).toBeNull()
  },
)
