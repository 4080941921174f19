import { expect, it } from 'vitest'
import { oddsText } from '#src/odds-text.ts'

it('writes odds with the decimal mark of the language, and nothing is lost', () => {
  expect(oddsText('45.714', 'en')).toBe('45.714')
  expect(oddsText('45.714', 'vi')).toBe('45,714')
  expect(oddsText('1.92', 'id')).toBe('1,92')
  expect(oddsText('960', 'ja')).toBe('960')
})
