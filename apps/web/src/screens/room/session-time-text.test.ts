import { expect, it } from 'vitest'
import { sessionTimeText } from '#src/screens/room/session-time-text.ts'

it.each([
  [0, 'en', '0m'],
  [59, 'en', '59m'],
  [65, 'en', '1h 5m'],
  [65, 'ja', '1時間5分'],
  [5, 'zh-CN', '5分钟'],
])('%i minutes of play are written in %s as %s', (minutes, tag, text) => {
  expect(sessionTimeText(minutes, tag)).toBe(text)
})
