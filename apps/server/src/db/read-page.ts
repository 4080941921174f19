/** A page of a list, and how many rows the whole list has. */
import { only, type Queryable } from './database.ts'

/**
 * Reads a page and the number of all rows by one statement, so that both are of one snapshot. An empty page after the
 * first does not tell that number, which is then read by itself.
 *
 * @param page the statement of a page; its result's column `allRows` is what `count` selects
 * @param count the statement that counts the rows of all pages, with the same first parameters as that of a page
 */
export async function readPage<Row extends object>(
  db: Queryable,
  statements: { page: string; count: string },
  { values, limit, offset }: { values: readonly unknown[]; limit: number; offset: number },
): Promise<{ rows: Row[]; total: number }> {
  type Counted = { allRows: bigint }
  const prepared = { prepared: true }
  const page = await db.query<Row & Counted>(statements.page, [...values, limit, offset], prepared)
  const [first] = page
  const counted = async () =>
    only(await db.query<Counted>(statements.count, values, prepared)).allRows
  const total = first?.allRows ?? (offset > 0 ? await counted() : 0n)
  const rows = page.map(({ allRows: _, ...row }) => row as unknown as Row)
  return { rows, total: Number(total) }
}
