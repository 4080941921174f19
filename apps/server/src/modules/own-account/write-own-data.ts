/** Writes all stored data of a player as a ZIP, in chunks: it holds some hundred rows in memory. */
import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Database } from '#src/db/database.ts'
import { BYTE_ORDER_MARK, csvLine } from '#src/formats/csv.ts'
import { OWN_TABLES, type OwnTable } from './own-data-tables.ts'

/** Rows read at a time. */
const BATCH = 500

/** How long storing a piece may take. */
const PAUSE_MAX = '2min'

/** Tables with few rows for a player are written together into one JSON file. */
export const IN_ACCOUNT_JSON: readonly string[] = [
  'accounts.player',
  'accounts.document',
  'accounts.security_code',
  'content.announcement_reader',
  'ledger.balance',
  'protection.player',
  'protection.player_limit',
  'bets.player_total',
  'deposits.address',
]

type Row = Record<string, string | null>

/**
 * All of a player's data from one snapshot: `account.json` with the single rows, and a CSV file for each other table.
 * Instants are in UTC, amounts in u.
 *
 * @param db a pool whose connection may be held for minutes
 * @yields chunks of the ZIP
 */
export async function* ownDataZip(db: Database, playerId: number): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    made.push(piece)
  })
  const client = await db.pool.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    // Between two chunks the transaction waits until the previous one is stored.
    await client.query(`set local idle_in_transaction_session_timeout = '${PAUSE_MAX}'`)
    const read = (table: OwnTable) => readRows(client, table, playerId)
    for await (const { file, text } of files(read)) {
      const entry = new ZipDeflate(file, { level: 6 })
      zip.add(entry)
      for await (const piece of text) {
        entry.push(strToU8(piece))
        yield* made.splice(0)
      }
      entry.push(new Uint8Array(0), true)
      yield* made.splice(0)
    }
    zip.end()
    yield* made.splice(0)
  } finally {
    const broken = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(broken)
  }
}

type Read = (table: OwnTable) => AsyncGenerator<Row[]>

async function* files(read: Read): AsyncGenerator<{ file: string; text: AsyncIterable<string> }> {
  yield { file: 'account.json', text: accountJson(read) }
  for (const table of OWN_TABLES) {
    if (IN_ACCOUNT_JSON.includes(table.table)) continue
    yield { file: `${table.table.replace('.', '-')}.csv`, text: tableCsv(table, read) }
  }
}

async function* accountJson(read: Read): AsyncGenerator<string> {
  const account: Record<string, Row[]> = {}
  for (const table of OWN_TABLES) {
    if (!IN_ACCOUNT_JSON.includes(table.table)) continue
    const rows: Row[] = []
    for await (const piece of read(table)) rows.push(...piece)
    account[table.table] = rows
  }
  yield `${JSON.stringify(account, null, 2)}\n`
}

async function* tableCsv(table: OwnTable, read: Read): AsyncGenerator<string> {
  const names = table.columns.map(({ name }) => name)
  yield BYTE_ORDER_MARK + csvLine(names)
  for await (const rows of read(table)) {
    yield rows.map((row) => csvLine(names.map((name) => row[name] ?? ''))).join('')
  }
}

async function* readRows(
  client: { query(text: string, values?: unknown[]): Promise<{ rows: Row[] }> },
  { table, whose = 'player_id = $1', order, columns }: OwnTable,
  playerId: number,
): AsyncGenerator<Row[]> {
  const shown = columns.map(({ name, sql }) => `${sql} as "${name}"`).join(', ')
  // Sorted by the columns themselves, not by their text forms.
  const sorted = order.replace(/\w+/g, (name) => `own_row.${name}`)
  await client.query(
    `declare own_rows no scroll cursor for
     select ${shown} from ${table} own_row where ${whose} order by ${sorted}`,
    [playerId],
  )
  for (;;) {
    const { rows } = await client.query(`fetch forward ${BATCH} from own_rows`)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) break
  }
  await client.query('close own_rows')
}
