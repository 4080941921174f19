import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bankReference, playerOfBankReference } from './bank-reference.ts'

const playerId = fc.integer({ min: 1, max: 2_147_483_647 })

describe("a player's bank reference", () => {
  it('never changes, and begins with RF and two check digits', () => {
    // Worked by hand: 100001271500 mod 97 is 7, and 98 less that is 91.
    expect(bankReference(100_001)).toBe(`RF${98 - (100_001_271_500 % 97)}100001`)
    expect(bankReference(100_001)).toMatch(/^RF\d{2}100001$/)
  })

  it('has check digits that are valid by ISO 11649', () => {
    fc.assert(
      fc.property(playerId, (id) => {
        const [, check, digits] = /^RF(\d\d)(\d+)$/.exec(bankReference(id)) ?? []
        expect(BigInt(`${digits}2715${check}`) % 97n).toBe(1n)
      }),
    )
  })

  it('identifies the player, however its letters and blanks were typed', () => {
    fc.assert(
      fc.property(playerId, (id) => {
        const reference = bankReference(id)
        expect(playerOfBankReference(reference)).toBe(id)
        const typed = ` ${reference.toLowerCase().replaceAll(/(.{4})/g, '$1 ')} `
        expect(playerOfBankReference(typed)).toBe(id)
      }),
    )
  })

  it('with one wrong digit, or two adjacent ones swapped, identifies no player', () => {
    fc.assert(
      fc.property(playerId, fc.nat(), fc.integer({ min: 1, max: 9 }), (id, at, change) => {
        const reference = bankReference(id)
        const place = 2 + (at % (reference.length - 2))
        const digit = (Number(reference[place]) + change) % 10
        const wrong = `${reference.slice(0, place)}${digit}${reference.slice(place + 1)}`
        expect(playerOfBankReference(wrong)).toBeNull()
        const next = reference[place + 1]
        if (next === undefined || next === reference[place]) return
        const swapped = `${reference.slice(0, place)}${next}${reference[place]}${reference.slice(place + 2)}`
        expect(playerOfBankReference(swapped)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  it('identifies no player with a letter before or behind it, or with a number beyond all players', () => {
    const reference = bankReference(100_001)
    expect(playerOfBankReference(`A${reference}`)).toBeNull()
    expect(playerOfBankReference(`${reference}A`)).toBeNull()
    expect(playerOfBankReference(bankReference(2_147_483_647))).toBe(2_147_483_647)
    expect(playerOfBankReference(bankReference(2_147_483_648))).toBeNull()
  })

  it.each(['', 'RF', 'RF00', 'RF18', '100001', 'RF181000012147483648', 'XX18100001'])(
    'is not %j',
    (text) => {
      expect(playerOfBankReference(text)).toBeNull()
    },
  )

  it.each([
    ['begins with other letters', 'XX58100001'],
    ['has a letter before it', 'ARF461'],
    ['has a letter within its number', 'RF321E5'],
    ['has a zero before its number', 'RF690100001'],
  ])('identifies no player if it %s, although its check digits are right', (_how, text) => {
    const asDigits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
      String(letter.charCodeAt(0) - 55),
    )
    expect(BigInt(asDigits) % 97n).toBe(1n)
    expect(playerOfBankReference(text)).toBeNull()
  })
})
