/** What a piece of work reads of each table, as PostgreSQL counts it: also in functions, into which EXPLAIN does not look. */
import type { Transaction } from '#src/db/database.ts'

/** Scans of a table as a whole and their rows, uses of its indexes and theirs. */
type TableReads = {
  name: string
  scans: number
  rows: number
  uses: number
  fetches: number
}

/** What the transaction's connection read of each table. */
function countsOf(tx: Transaction): Promise<TableReads[]> {
  return tx.query<TableReads>(
    `select relid::regclass::text as name, seq_scan::float8 as scans, seq_tup_read::float8 as rows,
       idx_scan::float8 as uses, idx_tup_fetch::float8 as fetches
     from pg_stat_xact_user_tables`,
  )
}

export async function readBy(tx: Transaction, work: () => Promise<unknown>): Promise<TableReads[]> {
  // Before the work too: a connection's counts also contain what it did a moment ago.
  const before = new Map((await countsOf(tx)).map((table) => [table.name, table]))
  await work()
  return (await countsOf(tx)).map((table) => {
    const since = (count: Exclude<keyof TableReads, 'name'>) =>
      table[count] - (before.get(table.name)?.[count] ?? 0)
    return {
      name: table.name,
      scans: since('scans'),
      rows: since('rows'),
      uses: since('uses'),
      fetches: since('fetches'),
    }
  })
}
