import { describe, expect, it } from 'vitest'
import { asciiDigits, isCommonCode } from './typed-digits.ts'

it('a digit of any script is read as its value', () => {
  for (const zero of [0x30, 0xff10, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x1040, 0x17e0, 0x1d7ce]) {
    const ten = Array.from({ length: 10 }, (_, at) => String.fromCodePoint(zero + at)).join('')
    expect(asciiDigits(ten)).toBe('0123456789')
  }
})

it('every digit that Unicode knows has one value, and ten of them have each', () => {
  const counts = new Map<string, number>()
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (!/\p{Nd}/u.test(character)) continue
    const value = asciiDigits(character)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  expect([...counts.keys()].sort().join('')).toBe('0123456789')
  expect(new Set(counts.values()).size).toBe(1)
})

it('what is no digit stays', () => {
  expect(asciiDigits('12 a-Ⅷ²½')).toBe('12 a-VIII21⁄2')
  expect(asciiDigits('')).toBe('')
})

describe('a code that is guessed first', () => {
  it.each([
    ['one digit', '111111'],
    ['a run up', '123456'],
    ['a run down', '987654'],
    ['a run over the end of the keys', '567890'],
    ['three pairs', '223344'],
    ['two triples', '222333'],
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
