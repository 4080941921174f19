import { expect, it } from 'vitest'
import { durationText, indexText, oddsText, sizeText } from '#src/i18n/number-text.ts'

it('writes odds with the decimal mark of the language, and nothing is lost', () => {
  expect(oddsText('45.714', 'en')).toBe('45.714')
  expect(oddsText('45.714', 'vi')).toBe('45,714')
  expect(oddsText('1.92', 'id')).toBe('1,92')
  expect(oddsText('960', 'ja')).toBe('960')
})

it('an index has one decimal, a real minus, and the language’s own point', () => {
  expect(indexText(0, 'en')).toBe('0.0')
  expect(indexText(-3.5, 'en')).toBe('−3.5')
  expect(indexText(13.5, 'vi')).toBe('13,5')
})

it('shows a size with few digits', () => {
  expect(sizeText(0, 'en')).toBe('0 byte')
  expect(sizeText(999, 'en')).toBe('999 byte')
  expect(sizeText(1_500, 'en')).toBe('1.5 kB')
  expect(sizeText(183_500, 'en')).toBe('184 kB')
  expect(sizeText(12_345_678, 'en')).toBe('12 MB')
})

it('names hours, minutes and seconds, except those that are 0', () => {
  expect(durationText(210, 'en')).toBe('3 min 30 sec')
  expect(durationText(180, 'en')).toBe('3 min')
  expect(durationText(210, 'ja')).toBe('3分30秒')
  expect(durationText(210, 'zh-CN')).toBe('3 分钟 30 秒')
  expect(durationText(210, 'zh-TW')).toBe('3 分鐘 30 秒')
  expect(durationText(3_605, 'en')).toBe('1 hr 5 sec')
  expect(durationText(0, 'en')).toBe('0 sec')
})
