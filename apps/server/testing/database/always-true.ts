import { expect } from 'vitest'
import { type Queryable, queryable } from '#src/db/database.ts'
import { rowsAgainst } from '#src/modules/ledger/check-books.ts'
import { RULES } from '#src/modules/ledger/rules-of-the-books.ts'

/** Whether a row is a deposit that a fixture gave, which neither the chain nor a bank brought. */
const isGiven = (row: object) => 'reference' in row && /^test:/.test(String(row.reference))

/**
 * Checks the rules of the books, with the rights of the database's owner.
 *
 * @param without the rules that a test breaks itself, by postings that it makes up
 */
export async function expectAlwaysTrue(
  owner: Queryable,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<void> {
  // Planning takes longer than reading, and a database that many tests share is checked often.
  const planned = queryable((text, values) => owner.query(text, values, { prepared: true }))
  expect(RULES.map(({ name }) => name)).toEqual(expect.arrayContaining([...without]))
  for (const rule of RULES) {
    if (without.includes(rule.name)) continue
    const rows = await rowsAgainst(planned, rule)
    const counted = rule.name === 'each deposit came by the chain or by the bank'
    expect(counted ? rows.filter((row) => !isGiven(row)) : rows, rule.name).toEqual([])
  }
}
