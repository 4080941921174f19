import { expect, it } from 'vitest'
import { indexText } from '#src/index-text.ts'

it('an index has one decimal, a real minus, and the language’s own point', () => {
  expect(indexText(0, 'en')).toBe('0.0')
  expect(indexText(-3.5, 'en')).toBe('−3.5')
  expect(indexText(13.5, 'vi')).toBe('13,5')
})
