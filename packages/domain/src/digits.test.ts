import { expect, it } from 'vitest'
import { sumOfDigits } from './digits.ts'

it('the sum of a draw is that of its three digits', () => {
  expect(sumOfDigits([9, 5, 2])).toBe(16)
  expect(sumOfDigits([0, 0, 0])).toBe(0)
  expect(sumOfDigits([9, 9, 9])).toBe(27)
})
