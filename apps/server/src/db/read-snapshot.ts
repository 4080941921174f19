/** Reads many rows in chunks, all from one snapshot. */
import type pg from 'pg'
import type { Database } from './database.ts'

type SnapshotRead = {
  text: string
  values: readonly unknown[]
  /** Rows in a chunk, which are held in memory. */
  batch: number
  /** How long the whole reading may take, including the reader's pauses. */
  limitMs: number
}

/**
 * Reads through a cursor in one read-only transaction, and so holds a connection: until the last row is read, until
 * the reader stops (`return` of the generator), or until the time limit, even while the reader pauses. If strangers
 * can start it, it needs its own pool.
 *
 * @yields chunks of up to `batch` rows, at least one chunk; the last may be empty
 * @throws at the time limit
 */
export async function* readSnapshot<Row extends object>(
  db: Database,
  { text, values, batch, limitMs }: SnapshotRead,
): AsyncGenerator<Row[]> {
  const client = await db.pool.connect()
  let held = true
  let busy = true
  let over = false

  /** Returns the connection to the pool after its transaction has ended, or closes it. */
  async function giveBack(): Promise<void> {
    if (!held) return
    held = false
    const broken = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(broken)
  }
  const timer = setTimeout(() => {
    over = true
    if (!busy) void giveBack()
  }, limitMs)

  try {
    await begin(client, limitMs)
    await client.query(`declare piece no scroll cursor for ${text}`, values as unknown[])
    for (;;) {
      const { rows } = await client.query<Row>(`fetch forward ${batch} from piece`)
      if (over) throw tooSlow(limitMs)
      if (rows.length < batch) {
        await giveBack()
        yield rows
        return
      }
      busy = false
      yield rows
      busy = true
      if (over) throw tooSlow(limitMs)
    }
  } finally {
    clearTimeout(timer)
    await giveBack()
  }
}

async function begin(client: pg.PoolClient, limitMs: number): Promise<void> {
  await client.query('begin isolation level repeatable read, read only')
  // Plan for reading all rows, not only the first. The server also ends a transaction that exceeds the time limit.
  await client.query(
    `select set_config('cursor_tuple_fraction', '1', true),
       set_config('statement_timeout', $1, true),
       set_config('idle_in_transaction_session_timeout', $2, true)`,
    [String(limitMs), String(limitMs + 5_000)],
  )
}

function tooSlow(limitMs: number): Error {
  return new Error(`a snapshot was not read within ${limitMs} ms`)
}
