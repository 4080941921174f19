import { MICRO } from '@sum28/domain/money.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountText } from '#src/amount-format.ts'
import { LANGUAGES } from '#src/languages.ts'

describe('an amount on screen', () => {
  it('is grouped in the format of the language', () => {
    const amount = 1_284_567_120_000n
    expect(amountText(amount, { tag: 'en' })).toBe('1,284,567.12')
    expect(amountText(amount, { tag: 'vi' })).toBe('1.284.567,12')
    expect(amountText(amount, { tag: 'id' })).toBe('1.284.567,12')
    expect(amountText(amount, { tag: 'ja' })).toBe('1,284,567.12')
  })

  it('is cut to two decimals and never rounded up', () => {
    expect(amountText(10_999_999n, { tag: 'en' })).toBe('10.99')
    expect(amountText(10_999_999n, { tag: 'en', decimals: 'all' })).toBe('10.999999')
  })

  it('has a real minus, and a plus only on request', () => {
    expect(amountText(-60n * MICRO, { tag: 'en' })).toBe('\u221260.00')
    expect(amountText(5n * MICRO, { tag: 'en', plus: true })).toBe('+5.00')
    expect(amountText(5n * MICRO, { tag: 'en' })).toBe('5.00')
    expect(amountText(0n, { tag: 'en', plus: true })).toBe('0.00')
    expect(amountText(4_000n, { tag: 'en', plus: true })).toBe('0.00')
    expect(amountText(4_000n, { tag: 'en', plus: true, decimals: 'all' })).toBe('+0.004')
    expect(amountText(-4_000n, { tag: 'en', plus: true })).toBe('0.00')
  })

  it('is never greater than the exact amount, in any language', () => {
    const tags = LANGUAGES.map((language) => language.tag)
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.constantFrom(...tags),
        (amount, tag) => {
          const cents = BigInt(amountText(amount, { tag }).replace(/\D/g, ''))
          const shown = cents * 10_000n
          expect(shown <= amount && amount - shown < 10_000n).toBe(true)
        },
      ),
    )
  })
})
