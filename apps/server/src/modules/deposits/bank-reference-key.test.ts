/** References of banks and payouts: one for each transfer, however two people type it; and the one of each player. */
import { paymentReference } from '@sum28/contract/fields.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { confirm } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { bankReference, recordBankDeposit } from './bank-deposit.ts'

const AMOUNT = 10_000_000n

const database = shareTestDatabase()

/** A reference that the contract accepts; null if it does not. */
function taken(text: string): string | null {
  const read = z.safeParse(paymentReference, text)
  return read.success ? read.data : null
}

describe('a reference', () => {
  it.each([
    ['as it is', 'FT26-11 4711', 'FT26-11 4711'],
    ['with blanks around it', '\t FT26 ', 'FT26'],
    ['in full width', 'ＦＴ２６－１１', 'FT26-11'],
    ['with a ligature and a raised digit', 'ﬁ²ⅳ', 'fi2iv'],
    ['with a hard blank', 'FT\u00a026', 'FT 26'],
    ['with a Cyrillic letter', 'F\u042226', null],
    ['with a line within', 'FT\n26', null],
    ['too short without its blanks', 'F T 2', null],
    ['shortened by a spreadsheet', '2.02611E+15', null],
    ['that only looks so', '1E12345', '1E12345'],
    ['too long', 'x'.repeat(129), null],
    ['too long once it is folded', '㎏'.repeat(65), null],
    ['as long as may be', 'x'.repeat(128), 'x'.repeat(128)],
  ])('%s', (_how, text, expected) => {
    expect(taken(text)).toBe(expected)
  })

  it('with any character is refused, or is in the form that the database stores', async () => {
    const { owner } = database
    const accepted: string[] = []
    // Of the later planes, which have Han characters, or none, some are enough.
    for (let code = 1; code <= 0x10ffff; code += code > 0x1ffff ? 251 : 1) {
      const character = String.fromCodePoint(code)
      if (/\p{Cs}/u.test(character)) continue
      const reference = taken(`aB${character}Cd`)
      if (reference !== null) accepted.push(reference)
    }
    expect(accepted.length).toBeGreaterThan(200)
    const rows = await owner.query(
      `select reference from unnest($1::text[]) reference where not app.is_plain_reference(reference)`,
      [accepted],
    )
    expect(rows).toEqual([])
  })
})

describe('a bank deposit', () => {
  it('is credited once for one transfer, in whatever form its reference is typed', async () => {
    const { db, owner } = database
    const playerId = await addPlayer(database, { u: 0 })
    const ann = await staffToken(database, { role: 'finance' })
    const bob = await staffToken(database, { role: 'finance' })
    let confirmed = 0
    const actor = { session: ann, role: 'finance' } as const
    for (const text of [
      'Ref 4711x',
      'ref4711X',
      'REF  4711 X',
      'Ｒｅｆ４７１１ｘ',
      'Ref\u200b4711x',
      'R\u0435f 4711x',
      ' ref 4711\u00a0x ',
    ]) {
      const reference = taken(text)
      if (reference === null) continue
      const made = await recordBankDeposit(db, { playerId, amount: AMOUNT, reference, ...actor })
      if (!('id' in made)) {
        expect(made).toMatchObject({ refused: 'reference_used' })
        continue
      }
      expect(await confirm(db, made.id, bob)).toBe('confirmed')
      confirmed += 1
    }
    expect(confirmed).toBe(1)
    expect(await cashOf(database, playerId)).toBe(AMOUNT)
    await expectAlwaysTrue(owner)
  })
})

/** By ISO 11649: behind the id, `RF` as digits, and the check digits, it leaves 1 when divided by 97. */
function isValid(reference: string): boolean {
  const [, check, digits] = /^RF(\d\d)(\d+)$/.exec(reference) ?? []
  return BigInt(`${digits}2715${check}`) % 97n === 1n
}

it("a player's bank reference never changes, and has check digits that are valid by ISO 11649", () => {
  // Worked by hand: 100001271500 mod 97 is 29, and 98 less that is 69.
  expect(bankReference(100_001)).toBe('RF69100001')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (id) => {
      expect(isValid(bankReference(id))).toBe(true)
    }),
  )
})
