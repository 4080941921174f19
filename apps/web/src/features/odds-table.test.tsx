import { expect, it } from 'vitest'
import { sumsOf } from '#src/features/odds-table.tsx'

it.each([
  ['long', '14–27'],
  ['short', '0–13'],
  ['odd', '1, 3 … 27'],
  ['even', '0, 2 … 26'],
  ['long-odd', '15, 17 … 27'],
  ['long-even', '14, 16 … 26'],
  ['short-odd', '1, 3 … 13'],
  ['short-even', '0, 2 … 12'],
  ['7', null],
] as const)('%s are the sums %s', (outcome, text) => {
  expect(sumsOf(outcome)).toBe(text)
})
