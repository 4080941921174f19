/** References of banks and payouts: one for each transfer, however two people type it. */
import { paymentReference } from '@sum28/contract/fields.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { referenceKey } from '#src/formats/payment-reference.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { confirm } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { recordBankDeposit } from './bank-deposit.ts'

const AMOUNT = 10_000_000n

const shared = shareTestDatabase()

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
    ['with a sign of no width', 'FT\u200b26', null],
    ['with a soft hyphen', 'FT\u00ad26', null],
    ['with a joiner', 'FT\u200d26', null],
    ['with a mark of direction', 'FT\u202e26', null],
    ['with a byte order mark within', 'FT\ufeff26', null],
    ['with a Cyrillic letter', 'F\u042226', null],
    ['with a Greek letter', 'F\u03a426', null],
    ['with an accent', 'FÉ26', null],
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

  it('with any character is refused, or is the same for the application and the database', async () => {
    const { owner } = shared()
    const accepted: string[] = []
    for (let code = 1; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code)
      // Most code points are no character: some of these are enough.
      if (/\p{C}/u.test(character) && code > 0xffff && code % 251 !== 0) continue
      if (/\p{Cs}/u.test(character)) continue
      const reference = taken(`aB${character}Cd`)
      if (reference !== null) accepted.push(reference)
    }
    expect(accepted.length).toBeGreaterThan(200)
    const rows = await owner.query(
      `select reference, app.reference_key(reference) as key
       from unnest($1::text[], $2::text[]) as asked (reference, expected)
       where not app.is_plain_reference(reference) or app.reference_key(reference) <> expected`,
      [accepted, accepted.map(referenceKey)],
    )
    expect(rows).toEqual([])
  })
})

describe('a bank deposit', () => {
  it('is credited once for one transfer, in whatever form its reference is typed', async () => {
    const database = shared()
    const { db, owner } = database
    const playerId = await addPlayer(database, { u: 0 })
    const ann = await staffToken(database, { role: 'finance' })
    const bob = await staffToken(database, { role: 'finance' })
    let confirmed = 0
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
      const actor = { session: ann, role: 'finance' } as const
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
