import { describe, expect, it } from 'vitest'
import { isCommonCode } from './common-code.ts'

describe('a code that is guessed first', () => {
  it.each([
    ['one digit', '111111'],
    ['a run up', '123456'],
    ['a run down', '987654'],
    ['two digits in turn', '121212'],
    ['three digits twice', '123123'],
    ['a day, month and year', '310180'],
    ['a month, day and year', '013180'],
    ['a year, month and day', '800131'],
    ['a walk over the keys', '159753'],
  ])('is %s', (_, code) => {
    expect(isCommonCode(code)).toBe(true)
  })

  it.each(['271828', '161803', '018273', '130099', '326400'])('is not %s', (code) => {
    expect(isCommonCode(code)).toBe(false)
  })

  it('is less than an eighth of all codes', () => {
    const codes = Array.from({ length: 1_000_000 }, (_, code) => String(code).padStart(6, '0'))
    expect(codes.filter(isCommonCode).length).toBeLessThan(125_000)
  })
})
