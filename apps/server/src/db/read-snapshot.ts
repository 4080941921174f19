/** Reads many rows in chunks, all from one snapshot. */
import type pg from 'pg'
import { type Database, type Queryable, queryable } from './database.ts'

type SnapshotRead = {
  text: string
  values: readonly unknown[]
  /** Rows in a chunk, which are held in memory. */
  batch: number
  /** How long the whole reading may take, including the reader's pauses. */
  limitMs: number
}

/**
 * Reads the rows of one statement through a cursor: see `inSnapshot`.
 *
 * @yields chunks of up to `batch` rows, at least one chunk; the last may be empty
 */
export function readSnapshot<Row extends object>(
  db: Database,
  { text, values, batch, limitMs }: SnapshotRead,
): AsyncGenerator<Row[]> {
  return inSnapshot(db, limitMs, async function* (tx) {
    await tx.query(`declare piece no scroll cursor for ${text}`, values)
    for (;;) {
      const rows = await tx.query<Row>(`fetch forward ${batch} from piece`)
      if (rows.length < batch) return rows
      yield rows
    }
  })
}

/**
 * Reads in one read-only transaction, and so holds a connection: until the last chunk is read, until the reader stops
 * (`return` of the generator), or until the time limit, even while the reader pauses. If strangers can start it, it
 * needs its own pool.
 *
 * @param read yields the chunks, and returns the last
 * @yields the chunks
 * @throws at the time limit
 */
export async function* inSnapshot<Chunk>(
  db: Database,
  limitMs: number,
  read: (tx: Queryable) => AsyncGenerator<Chunk, Chunk>,
): AsyncGenerator<Chunk> {
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
    let sent: Promise<unknown> = Promise.resolve()
    // A connection takes one statement at a time.
    const chunks = read(
      queryable(async <Row extends object>(text: string, values: readonly unknown[] = []) => {
        const answered = sent.then(() => client.query<Row>(text, values as unknown[]))
        sent = answered.catch(() => undefined)
        return (await answered).rows
      }),
    )
    for (;;) {
      const { value, done } = await chunks.next()
      if (over) throw tooSlow(limitMs)
      if (done) {
        await giveBack()
        yield value
        return
      }
      busy = false
      yield value
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
