import { expect, it } from 'vitest'
import { sizeText } from '#src/size-text.ts'

it('shows a size with few digits', () => {
  expect(sizeText(0, 'en')).toBe('0 byte')
  expect(sizeText(999, 'en')).toBe('999 byte')
  expect(sizeText(1_500, 'en')).toBe('1.5 kB')
  expect(sizeText(183_500, 'en')).toBe('184 kB')
  expect(sizeText(12_345_678, 'en')).toBe('12 MB')
})
