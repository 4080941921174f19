import { expect, it } from 'vitest'
import { endOfBreak } from '#src/screens/take-break/break-end.ts'

it.each([
  [{ hours: 24 }, '2026-11-22T10:30:00Z', '2026-11-23T10:30:00Z'],
  [{ hours: 1008 }, '2026-11-22T10:30:00Z', '2027-01-03T10:30:00Z'],
  [{ months: 6 }, '2026-11-22T10:30:00Z', '2027-05-22T10:30:00Z'],
  [{ months: 6 }, '2026-08-31T10:30:00Z', '2027-02-28T10:30:00Z'],
  [{ months: 60 }, '2026-11-22T10:30:00Z', '2031-11-22T10:30:00Z'],
])('a break of %o from %s ends at %s', (length, from, end) => {
  expect(endOfBreak(length, Date.parse(from))).toBe(Date.parse(end))
})
