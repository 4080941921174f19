import { expect, it } from 'vitest'
import { lengthText } from '#src/screens/take-break/length-text.ts'

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
