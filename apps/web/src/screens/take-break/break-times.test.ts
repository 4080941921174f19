import { expect, it } from 'vitest'
import { endOfBreak, lengthText } from '#src/screens/take-break/break-times.ts'

it.each([
  [{ hours: 24 }, 'en', '24 hours'],
  [{ hours: 168 }, 'en', '1 week'],
  [{ hours: 1008 }, 'vi', '6 tuần'],
  [{ months: 6 }, 'en', '6 months'],
  [{ months: 12 }, 'en', '1 year'],
  [{ months: 60 }, 'zh-CN', '5年'],
  [{ months: 6 }, 'ja', '6か月'],
])('the length %o is written in %s as %s', (length, tag, text) => {
  expect(lengthText(length, tag)).toBe(text)
})

it.each([
  [{ hours: 24 }, '2026-11-22T10:30:00Z', '2026-11-23T10:30:00Z'],
  [{ hours: 1008 }, '2026-11-22T10:30:00Z', '2027-01-03T10:30:00Z'],
  [{ months: 6 }, '2026-11-22T10:30:00Z', '2027-05-22T10:30:00Z'],
  [{ months: 6 }, '2026-08-31T10:30:00Z', '2027-02-28T10:30:00Z'],
  [{ months: 60 }, '2026-11-22T10:30:00Z', '2031-11-22T10:30:00Z'],
])('a break of %o from %s ends at %s', (length, from, end) => {
  expect(endOfBreak(length, Date.parse(from))).toBe(Date.parse(end))
})
