import { expect, it } from 'vitest'
import { digitsOfCode } from '#src/data/games.ts'

it('reads the digits of a draw from the wire', () => {
  expect(digitsOfCode('1 2 3 6')).toEqual([1, 2, 3])
  expect(digitsOfCode('9 9 9 27')).toEqual([9, 9, 9])
  expect(digitsOfCode('0 0 0')).toEqual([0, 0, 0])
})

it('reads no digits if there is no draw', () => {
  for (const code of ['', '1 2', '12 3 4 19', 'x y z 1']) expect(digitsOfCode(code)).toBeNull()
})
