import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bankReference } from './bank-deposit.ts'

const playerId = fc.integer({ min: 1, max: 2_147_483_647 })

/** By ISO 11649: behind the id, `RF` as digits, and the check digits, it leaves 1 when divided by 97. */
function isValid(reference: string): boolean {
  const [, check, digits] = /^RF(\d\d)(\d+)$/.exec(reference) ?? []
  return BigInt(`${digits}2715${check}`) % 97n === 1n
}

describe("a player's bank reference", () => {
  it('never changes, and begins with RF and two check digits', () => {
    // Worked by hand: 100001271500 mod 97 is 7, and 98 less that is 91.
    expect(bankReference(100_001)).toBe(`RF${98 - (100_001_271_500 % 97)}100001`)
    expect(bankReference(100_001)).toMatch(/^RF\d{2}100001$/)
  })

  it('has check digits that are valid by ISO 11649', () => {
    fc.assert(
      fc.property(playerId, (id) => {
        expect(isValid(bankReference(id))).toBe(true)
      }),
    )
  })

  it('is not valid with one wrong digit, or two adjacent ones swapped', () => {
    fc.assert(
      fc.property(playerId, fc.nat(), fc.integer({ min: 1, max: 9 }), (id, at, change) => {
        const reference = bankReference(id)
        const position = 2 + (at % (reference.length - 2))
        const digit = (Number(reference[position]) + change) % 10
        const wrong = `${reference.slice(0, position)}${digit}${reference.slice(position + 1)}`
        expect(isValid(wrong)).toBe(false)
        const next = reference[position + 1]
        if (next === undefined || next === reference[position]) return
        const swapped = `${reference.slice(0, position)}${next}${reference[position]}${reference.slice(position + 2)}`
        expect(isValid(swapped)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
