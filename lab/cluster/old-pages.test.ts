import { expect, it } from 'vitest'
import { agesOf } from './old-pages.ts'

it('a reading is as old as the first writing is done that it does not have', () => {
  const writes = [
    { number: 1, doneAt: 1_000 },
    { number: 3, doneAt: 2_000 },
    { number: 4, doneAt: 3_000 },
  ]
  const reads = [
    { number: 1, from: 1_500 },
    { number: 1, from: 2_600 },
    { number: 3, from: 9_000 },
    { number: 4, from: 9_000 },
  ]
  expect(agesOf({ writes, reads })).toEqual([0, 600, 6_000, 0])
})
