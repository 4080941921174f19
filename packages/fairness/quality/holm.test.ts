import { expect, it } from 'vitest'
import { holmAdjusted } from './holm.ts'

it('adjusts as Holm does, and keeps the order of its input', () => {
  const adjusted = holmAdjusted([0.01, 0.04, 0.03, 0.005])
  for (const [i, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[i]).toBeCloseTo(p, 12)
})

it('never exceeds 1, and leaves a single test unchanged', () => {
  expect(holmAdjusted([0.6, 0.9])).toEqual([1, 1])
  expect(holmAdjusted([0.2])).toEqual([0.2])
  expect(holmAdjusted([])).toEqual([])
})
