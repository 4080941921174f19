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

/** The first digits of a scheme that prescribes a check digit, and the length of its numbers. */
const scheme = fc.constantFrom(
  ...(['4', '51', '2221', '2720', '6011', '65', '3528', '36'] as const).map(
    (begins) => ({ begins, digits: 16 }) as const,
  ),
  { begins: '37', digits: 15 },
)

/** A number of such a scheme with the correct check digit, found by trying all ten. */
const goodNumber = fc
  .tuple(scheme, fc.infiniteStream(fc.integer({ min: 0, max: 9 })))
  .map(([{ begins, digits }, stream]) => {
    const more = [...stream.take(digits - 1 - begins.length)].join('')
    const start = begins + more
    const last = Array.from({ length: 10 }, (_, digit) => digit).filter(
      (digit) => cardNumberFault(start + digit) === null,
    )
    return { start, last, begins }
  })

describe('a card number', () => {
  it.each(TEST_NUMBERS)('%s is one', (number) => {
    expect(cardNumberFault(number)).toBeNull()
  })

  it.each([
    ['a card of UnionPay without a check digit', '6200000000000006'],
    ['a card of UnionPay of 19 digits', '6222021234567890123'],
    ['a card of one country', '9704151234567891'],
    ['an account of seven digits, in Japan', '0012345'],
    ['an account of ten digits, in Indonesia', '4000000001'],
    ['an account of thirteen digits, in Vietnam', '4000000000001'],
    ['an account of fourteen digits, in Korea', '36012345678901'],
  ])('may be %s', (_, number) => {
    expect(cardNumberFault(number)).toBeNull()
  })

  it('may be typed in groups separated by spaces or dashes of any kind, in wide digits too', () => {
    for (const text of [
      '４２４２　４２４２－４２４２ 4242',
      ' 4242 4242 4242 4242 ',
      '4242-4242-4242-4242',
      '4242–4242\u00a042424242',
    ]) {
      expect(cardNumberFault(text)).toBeNull()
      expect(bareCardNumber(text)).toBe('4242424242424242')
    }
  })

  it.each(['', ' ', '424242', '42424242424242424242', '4242x4242424242', '-4242.42424242424'])(
    'is not %j: it has not 7–19 digits, or more than digits',
    (text) => {
      expect(cardNumberFault(text)).toBe('length')
    },
  )

  it('is refused in digits of other scripts', () => {
    expect(cardNumberFault('4242٤٢٤٢42424242')).toBe('length')
  })

  it('has exactly one correct check digit', () => {
    fc.assert(
      fc.property(goodNumber, ({ last }) => {
        expect(last).toHaveLength(1)
      }),
    )
  })

  it('is doubted when any one digit is wrong', () => {
    fc.assert(
      fc.property(goodNumber, fc.nat(), fc.integer({ min: 1, max: 9 }), (good, position, more) => {
        const number = good.start + good.last[0]
        // Another beginning would be that of another scheme.
        const first = good.begins.length
        const at = first + (position % (number.length - first))
        const wrong = (Number(number[at]) + more) % 10
        expect(cardNumberFault(number.slice(0, at) + wrong + number.slice(at + 1))).toBe('checksum')
      }),
    )
  })

  it('is doubted when two neighbouring digits are swapped, unless they are 0 and 9', () => {
    fc.assert(
      fc.property(goodNumber, fc.nat(), (good, position) => {
        const number = good.start + good.last[0]
        const first = good.begins.length
        const at = first + (position % (number.length - 1 - first))
        const [one = '', other = ''] = number.slice(at, at + 2)
        fc.pre(one !== other && [one, other].sort().join('') !== '09')
        const swapped = number.slice(0, at) + other + one + number.slice(at + 2)
        expect(cardNumberFault(swapped)).toBe('checksum')
      }),
    )
  })
})
