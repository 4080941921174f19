import { describe, expect, it } from 'vitest'
import { fromHex, isHex, toHex } from './hex.ts'

describe('hex', () => {
  it('converts bytes to hex and back', () => {
    const bytes = Uint8Array.of(0, 1, 127, 128, 255)
    expect(toHex(bytes)).toBe('00017f80ff')
    expect(fromHex('00017f80ff', 5)).toEqual(bytes)
  })

  it.each(['', '0', '0g', 'AB', ' ab', '0xab', 'abcd'])('refuses %j as one byte', (text) => {
    expect(isHex(text, 1)).toBe(false)
    expect(() => fromHex(text, 1)).toThrow(RangeError)
  })

  it('accepts nothing but text', () => {
    for (const value of [null, undefined, 12, ['ab'], {}]) expect(isHex(value, 1)).toBe(false)
  })
})
