import { MICRO } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { LANGUAGES } from '@sum28/ui/languages.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWrongSoFar, readTypedAmount, typedForm, typedSoFar } from '#src/data/typed-amount.ts'

const TAGS = LANGUAGES.map(({ tag }) => tag)

function read(typed: string, tag: string, decimalsMax?: number): number | string {
  const result = readTypedAmount(typed, { tag, ...(decimalsMax && { decimalsMax }) })
  return result.ok ? Number(result.amount) / Number(MICRO) : result.fault
}

describe('an amount as typed', () => {
  it('is read in the format of Vietnamese and Indonesian', () => {
    for (const tag of ['vi', 'id']) {
      expect(read('1.284', tag)).toBe(1_284)
      expect(read('1.284,50', tag)).toBe(1_284.5)
      expect(read('1.284.567,5', tag)).toBe(1_284_567.5)
      expect(read('1284,5', tag)).toBe(1_284.5)
      expect(read('1,284', tag)).toBe('wrong')
    }
  })

  it('is read in the format of the other languages', () => {
    for (const tag of ['en', 'ja', 'ko', 'zh-CN', 'zh-TW']) {
      expect(read('1,284', tag)).toBe(1_284)
      expect(read('1,284.50', tag)).toBe(1_284.5)
      expect(read('1284.5', tag)).toBe(1_284.5)
      expect(read('1.284', tag)).toBe('wrong')
    }
  })

  it.each(TAGS)('may have either mark if it has only one meaning, in %s', (tag) => {
    expect(read('1.28', tag)).toBe(1.28)
    expect(read('1,28', tag)).toBe(1.28)
    expect(read('0.5', tag)).toBe(0.5)
    expect(read('1.284,50', tag)).toBe(1_284.5)
    expect(read('1,284.50', tag)).toBe(1_284.5)
    expect(read('1.284.567', tag)).toBe(1_284_567)
  })

  it('may be typed on an East Asian keyboard, and with spaces', () => {
    expect(read('１２８．５', 'ja')).toBe(128.5)
    expect(read('１００', 'zh-CN')).toBe(100)
    expect(read(' 1\u202f284,50 ', 'vi')).toBe(1_284.5)
  })

  it('may be pasted in the digits and marks of any script, with a mark of direction, and with its unit', () => {
    expect(read('١٬٢٨٤٫٥٠', 'en')).toBe(1_284.5)
    expect(read('\u200f१००\u200f', 'id')).toBe(100)
    expect(read('1.284,50\u00a0u', 'vi')).toBe(1_284.5)
    expect(read('uu', 'en')).toBe('wrong')
  })

  it.each(['-5', '1e3', 'all', '1.2.3', '12,34.5', '1.28,4.5', ',5', '0.284', '01.284', '1,2345'])(
    'is none as %j, in any language',
    (typed) => {
      for (const tag of TAGS) expect(read(typed, tag)).toBe('wrong')
    },
  )

  it.each(['10²', '½', '①00'])('is none as %j, whose digit is another form of one', (typed) => {
    expect(read(typed, 'en')).toBe('wrong')
    expect(typedSoFar(typed, { tag: 'en' })).toBeNull()
  })

  it('has as many decimals as are allowed, and no more', () => {
    expect(read('1.284567', 'en', 6)).toBe(1.284567)
    expect(read('1.284', 'vi', 6)).toBe(1_284)
    expect(read('1,284', 'vi', 6)).toBe(1.284)
    expect(read('1.280', 'en')).toBe('wrong')
    expect(read('', 'en')).toBe('empty')
    expect(read('9'.repeat(40), 'en')).toBe('too_large')
  })

  it('is the same amount when the app’s own text of it is typed, in any language', () => {
    const cents = fc.bigInt({ min: 1n, max: 10n ** 11n })
    fc.assert(
      fc.property(cents, fc.constantFrom(...TAGS), (cent, tag) => {
        const amount = cent * 10_000n
        const again = { ok: true, amount }
        expect(readTypedAmount(amountText(amount, { tag }), { tag })).toEqual(again)
        expect(readTypedAmount(typedForm(amount, tag), { tag })).toEqual(again)
      }),
    )
  })

  it('accepts each key with which an amount can continue, and no other', () => {
    for (const [whole, tag] of [
      ['1.284.567,50', 'vi'],
      ['1,284,567.50', 'en'],
      ['0.05', 'ja'],
    ] as const) {
      for (let at = 0; at <= whole.length; at += 1) {
        expect(typedSoFar(whole.slice(0, at), { tag })).toBe(whole.slice(0, at))
      }
    }
    for (const nowhere of ['1,284.505', '1..', 'a', '-', '0.284', '1.2845']) {
      expect(typedSoFar(nowhere, { tag: 'en' })).toBeNull()
    }
  })

  it.each(TAGS)(
    'is never read as a smaller one when its keys are typed one by one, in %s',
    (tag) => {
      for (const whole of ['1.000', '1,500', '100.000', '1.000.000', '1,000,000', '1.000,50']) {
        let typed = ''
        for (const key of whole) typed = typedSoFar(typed + key, { tag }) ?? typed
        expect(typed).toBe(whole)
      }
    },
  )

  it('is said to be none where it has two readings, and not while it is being typed', () => {
    expect(isWrongSoFar('1.284', { tag: 'en' })).toBe(true)
    for (const begun of ['', '1', '1.', '1.28', '1,284.', '1,284,5', '1,284,56', '1.000.0']) {
      expect(isWrongSoFar(begun, { tag: 'en' })).toBe(false)
    }
  })
})
