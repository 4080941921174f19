import { expect } from 'vitest'
import { type Queryable, queryable } from '#src/db/database.ts'
import { rowsAgainst } from '#src/modules/ledger/check-books.ts'
import { RULES } from '#src/modules/ledger/rules-of-the-books.ts'

/** Checks the rules of the books, with the rights of the database's owner. */
export async function expectAlwaysTrue(owner: Queryable): Promise<void> {
  // Planning takes longer than reading, and a database that many tests share is checked often.
  const planned = queryable((text, values) => owner.query(text, values, { prepared: true }))
  for (const rule of RULES) {
    expect(await rowsAgainst(planned, rule), rule.name).toEqual([])
  }
}
