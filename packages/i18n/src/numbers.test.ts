import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { decimalMark, pluralForm, withMarks } from './numbers.ts'

describe.each([...LANGUAGES, 'zh-CN', 'en-GB'])('numbers in %s', (tag) => {
  it('are written as Intl writes them', () => {
    const form = new Intl.NumberFormat(tag, { minimumFractionDigits: 2 })
    const parts = form.formatToParts(0)
    expect(decimalMark(tag)).toBe(parts.find(({ type }) => type === 'decimal')?.value)
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (hundredths) => {
        const plain = (hundredths / 100).toFixed(2)
        expect(withMarks(plain, tag)).toBe(form.format(hundredths / 100))
      }),
    )
  })

  it('have the plurals of Intl', () => {
    const rules = new Intl.PluralRules(tag)
    for (let count = 0; count < 200; count += 1) {
      expect(pluralForm(count, tag)).toBe(rules.select(count))
    }
    expect(pluralForm(1.5, tag)).toBe(rules.select(1.5))
  })
})
