import { expect, it } from 'vitest'
import { durationText } from '#src/duration-text.ts'

it('names hours, minutes and seconds, except those that are 0', () => {
  expect(durationText(210, 'en')).toBe('3 min 30 sec')
  expect(durationText(180, 'en')).toBe('3 min')
  expect(durationText(210, 'ja')).toBe('3分30秒')
  expect(durationText(210, 'zh-CN')).toBe('3分钟30秒')
  expect(durationText(3_605, 'en')).toBe('1 hr 5 sec')
  expect(durationText(0, 'en')).toBe('0 sec')
})
