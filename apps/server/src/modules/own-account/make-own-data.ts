import { languageOf } from '@sum28/i18n/languages.ts'
import { strToU8, Zip, ZipDeflate } from 'fflate'
import { type Database, type Queryable, queryable, type Transaction } from '#src/db/database.ts'
import type { SecretColumn } from '#src/db/reencryption.ts'
import { type CsvForm, csvFormOf, csvText } from '#src/formats/csv.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { decryptPicture, factsOf, picturesOf } from '#src/modules/withdrawals/identity.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { OWN_TABLES, type OwnTable } from './own-data-tables.ts'

/** The approximate size of each stored piece, in bytes. */
const PART_BYTES = 262_144

/**
 * Makes the file that a player requested, and notifies him that it is ready. A second try starts from the beginning;
 * a file that is ready, or deleted, stays as it is.
 */
export async function makeOwnData(
  { db, cipher }: { db: Database; cipher: SecretCipher },
  fileId: bigint,
  signal?: AbortSignal,
): Promise<void> {
  const [playerId] = await db.column<number>(
    'select player_id from own_account.data_file where id = $1 and ready_at is null',
    [fileId],
  )
  if (playerId === undefined) return
  await db.query('delete from own_account.data_part where file_id = $1', [fileId])
  let position = 0
  let bytes = 0
  for await (const content of inParts(ownDataZip({ db, cipher }, playerId))) {
    signal?.throwIfAborted()
    const encrypted = cipher.encrypt(content, purposeOf(`${fileId} ${position}`))
    await db.query(
      `insert into own_account.data_part (file_id, position, encrypted_content, key_id)
       values ($1, $2, $3, $4)`,
      [fileId, position, encrypted, cipher.keyId],
    )
    position += 1
    bytes += content.byteLength
  }
  await db.transaction(async (tx) => {
    const isFinished = await tx.exists(
      `update own_account.data_file set ready_at = app.now(), bytes = $2
       where id = $1 and ready_at is null returning id`,
      [fileId, bytes],
    )
    if (!isFinished) return
    const facts = { days: String(DATA_KEPT_DAYS) }
    await notify(tx, { playerId, kind: 'own_data_ready', facts })
  })
}

async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    bytes += piece.byteLength
    if (bytes >= PART_BYTES) {
      yield Buffer.concat(held)
      held = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(held)
}

/** How long a file is kept after its request: enough to read the mail, but no archive. */
const DATA_KEPT_DAYS = 7

export const MAKE_OWN_DATA_JOB = 'make-own-data'

export type DataFile = {
  id: bigint
  /** Null: it is being made. */
  readyAt: number | null
  bytes: bigint | null
  /** Until when it can be downloaded. */
  until: number
}

export function dataFileOf(db: Queryable, playerId: number): Promise<DataFile | undefined> {
  return db.first<DataFile>(
    `select id, ready_at as "readyAt", bytes,
       requested_at + make_interval(days => $2) as until
     from own_account.data_file
     where player_id = $1 and requested_at > app.now() - make_interval(days => $2)`,
    [playerId, DATA_KEPT_DAYS],
  )
}

/** Requests a file, and queues its job; false if one was requested recently. */
export async function addDataFile(tx: Transaction, playerId: number): Promise<boolean> {
  await tx.query(
    `delete from own_account.data_file
     where player_id = $1 and requested_at <= app.now() - make_interval(days => $2)`,
    [playerId, DATA_KEPT_DAYS],
  )
  const [fileId] = await tx.column<bigint>(
    `insert into own_account.data_file (player_id) select id from accounts.player
     where id = $1 and state = 'active' on conflict do nothing returning id`,
    [playerId],
  )
  if (fileId === undefined) return false
  // One at a time, so that files of many players do not use all of the queue.
  await tx.query(
    `select graphile_worker.add_job($1, json_build_object('fileId', $2::text), queue_name := 'own-data',
       max_attempts := 12)`,
    [MAKE_OWN_DATA_JOB, String(fileId)],
  )
  return true
}

/** Deletes expired files, and returns how many. */
export async function dropOldFiles(db: Queryable): Promise<number> {
  const rows = await db.query(
    `delete from own_account.data_file
     where requested_at < (select app.now() - make_interval(days => $1)) returning 1`,
    [DATA_KEPT_DAYS],
  )
  return rows.length
}

export async function readPart(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  { fileId, position }: { fileId: bigint; position: number },
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ encrypted: Buffer; keyId: string }>(
    `select encrypted_content as encrypted, key_id as "keyId" from own_account.data_part
     where file_id = $1 and position = $2`,
    [fileId, position],
  )
  return row && cipher.decrypt(row.encrypted, purposeOf(`${fileId} ${position}`), row.keyId)
}

/** @param part the file's id and the part's position */
function purposeOf(part: string): string {
  return `own data ${part}`
}

export const OWN_DATA: SecretColumn = {
  name: 'own_data',
  table: 'own_account.data_part',
  id: 'id',
  owner: `concat(file_id, ' ', position)`,
  secret: 'encrypted_content',
  keyId: 'key_id',
  purposeOf: ({ owner }) => purposeOf(owner),
}

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
  'deposits.address',
]

type Row = Record<string, string | null>

/**
 * All of a player's data from one snapshot: `account.json` with the single rows, and a CSV file for each other table.
 * Instants are in UTC, amounts in u. The CSV files have the form of the player's language.
 *
 * @param db a pool whose connection may be held for minutes
 * @yields chunks of the ZIP
 */
export async function* ownDataZip(
  { db, cipher }: { db: Database; cipher: SecretCipher },
  playerId: number,
): AsyncGenerator<Uint8Array> {
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
    const { rows } = await client.query<{ lang: string }>(
      'select lang from accounts.player where id = $1',
      [playerId],
    )
    const form = csvFormOf(languageOf(rows[0]?.lang))
    const reader = queryable(
      async <Row extends object>(text: string, values = [] as readonly unknown[]) =>
        (await client.query<Row>(text, [...values])).rows,
    )
    for await (const { file, text } of files(read, form)) {
      const entry = new ZipDeflate(file, { level: 6 })
      zip.add(entry)
      for await (const piece of text) {
        entry.push(strToU8(piece))
        yield* made.splice(0)
      }
      entry.push(new Uint8Array(0), true)
      yield* made.splice(0)
    }
    for await (const { file, content } of identityFiles({ db: reader, cipher }, playerId)) {
      // Some readers refuse an entry that is stored as it is and whose size follows it.
      const entry = new ZipDeflate(file, { level: 0 })
      zip.add(entry)
      entry.push(content, true)
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

/** What he sent to prove his identity: `identity.json`, and the pictures of his documents. */
async function* identityFiles(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  playerId: number,
): AsyncGenerator<{ file: string; content: Uint8Array }> {
  const facts = await factsOf({ db, cipher }, playerId)
  if (facts.name) {
    yield { file: 'identity.json', content: strToU8(`${JSON.stringify(facts, null, 2)}\n`) }
  }
  for (const [at, picture] of (await picturesOf(db, playerId)).entries()) {
    const content = decryptPicture(cipher, playerId, picture)
    yield { file: `identity-picture-${at + 1}.webp`, content }
  }
}

type Read = (table: OwnTable) => AsyncGenerator<Row[]>

async function* files(
  read: Read,
  form: CsvForm,
): AsyncGenerator<{ file: string; text: AsyncIterable<string> }> {
  yield { file: 'account.json', text: accountJson(read) }
  for (const table of OWN_TABLES) {
    if (IN_ACCOUNT_JSON.includes(table.table)) continue
    const names = table.columns.map(({ name }) => name)
    const cells = (row: Row) => names.map((name) => row[name] ?? '')
    yield {
      file: `${table.table.replace('.', '-')}.csv`,
      text: csvText(names, read(table), { cells, form }),
    }
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
