import { bareCardNumber } from '@sum28/domain/card-number.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { caretInGroups, groupedDigits } from '#src/screens/add-bank-card/card-number-text.ts'

describe('a card number while it is typed', () => {
  it.each([
    ['', ''],
    ['4', '4'],
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242-4242-4242-4242', '4242 4242 4242 4242'],
    ['４２４２４', '4242 4'],
    ['6304 1000 0000 0000 008', '6304 1000 0000 0000 008'],
    ['4242x', '4242'],
  ])('stands in groups of four: %j as %j', (typed, shown) => {
    expect(groupedDigits(typed)).toBe(shown)
  })

  it('keeps every digit, in order, however often it is grouped', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d -]{0,40}$/), (typed) => {
        const shown = groupedDigits(typed)
        expect(bareCardNumber(shown)).toBe(bareCardNumber(typed))
        expect(groupedDigits(shown)).toBe(shown)
      }),
    )
  })

  it.each([
    // typed at the end, across a group's end, in the middle, and a gap deleted
    { text: '42424', caret: 5, after: 6 },
    { text: '4242', caret: 4, after: 4 },
    { text: '49242 4242', caret: 2, after: 2 },
    { text: '424294 242', caret: 5, after: 6 },
    { text: '42424242', caret: 4, after: 4 },
    { text: '', caret: 0, after: 0 },
  ])('keeps the caret behind its digit: $text at $caret', ({ text, caret, after }) => {
    expect(caretInGroups(text, caret)).toBe(after)
  })

  it('never puts the caret outside of the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.nat({ max: 30 }), (text, at) => {
        const caret = Math.min(at, text.length)
        expect(caretInGroups(text, caret)).toBeLessThanOrEqual(groupedDigits(text).length)
      }),
    )
  })
})
