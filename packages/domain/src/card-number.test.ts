import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bareCardNumber, cardNumberFault } from './card-number.ts'

/** Test numbers published by card schemes and payment processors; none is a real card. */
const TEST_NUMBERS = [
  '4242424242424242',
  '4111111111111111',
  '4222222222222',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
  '30569309025904',
  '3530111333300000',
  '6200000000000005',
  '6304000000000000',
]

/** A number of 12–19 digits with the correct check digit, found by trying all ten. */
const goodNumber = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 })
  .map((digits) => {
    const start = digits.join('')
    const last = Array.from({ length: 10 }, (_, digit) => digit).filter(
      (digit) => cardNumberFault(start + digit) === null,
    )
    return { start, last }
  })

describe('a card number', () => {
  it.each(TEST_NUMBERS)('%s is one', (number) => {
    expect(cardNumberFault(number)).toBeNull()
  })

  it('may have 12 digits, or 19', () => {
    expect(cardNumberFault('500000000009')).toBeNull()
    expect(cardNumberFault('6200000000000000000')).toBeNull()
  })

  it('may be typed in groups separated by spaces or dashes of any kind', () => {
    for (const text of [
      ' 4242 4242 4242 4242 ',
      '4242-4242-4242-4242',
      '4242–4242\u00a042424242',
    ]) {
      expect(cardNumberFault(text)).toBeNull()
      expect(bareCardNumber(text)).toBe('4242424242424242')
    }
  })

  it.each(['', ' ', '42424242424', '42424242424242424242', '4242x4242424242', '-4242.42424242424'])(
    'is not %j: it has not 12–19 digits, or more than digits',
    (text) => {
      expect(cardNumberFault(text)).toBe('length')
    },
  )

  it('is refused in digits of other scripts', () => {
    expect(cardNumberFault('4242４２４２42424242')).toBe('length')
  })

  it('has exactly one correct check digit', () => {
    fc.assert(
      fc.property(goodNumber, ({ last }) => {
        expect(last).toHaveLength(1)
      }),
    )
  })

  it('is refused when any one digit is wrong', () => {
    fc.assert(
      fc.property(goodNumber, fc.nat(), fc.integer({ min: 1, max: 9 }), (good, position, more) => {
        const number = good.start + good.last[0]
        const at = position % number.length
        const wrong = (Number(number[at]) + more) % 10
        expect(cardNumberFault(number.slice(0, at) + wrong + number.slice(at + 1))).toBe('checksum')
      }),
    )
  })

  it('is refused when two neighbouring digits are swapped, unless they are 0 and 9', () => {
    fc.assert(
      fc.property(goodNumber, fc.nat(), (good, position) => {
        const number = good.start + good.last[0]
        const at = position % (number.length - 1)
        const [one = '', other = ''] = number.slice(at, at + 2)
        fc.pre(one !== other && [one, other].sort().join('') !== '09')
        const swapped = number.slice(0, at) + other + one + number.slice(at + 2)
        expect(cardNumberFault(swapped)).toBe('checksum')
      }),
    )
  })
})
