/** Reads many rows piece by piece, all as they stood at one instant. */
import type pg from 'pg'
import type { Database } from './database.ts'

type SnapshotRead = {
  text: string
  values: readonly unknown[]
  /** Rows in a piece: what is held in memory. */
  batch: number
  /** How long the reading may take, its reader's pauses with it. */
  limitMs: number
}

/**
 * Reads through a cursor in one read-only transaction, and so holds a connection: until the last
 * row is read, until the reader ends it (`return` of the generator), or until the limit, also while
 * the reader pauses and asks for nothing. Whoever shows it to strangers gives it a pool of its own.
 *
 * @yields pieces of up to `batch` rows, at least one piece, the last perhaps empty
 * @throws when the limit is reached
 */
export async function* readSnapshot<Row extends object>(
  db: Database,
  { text, values, batch, limitMs }: SnapshotRead,
): AsyncGenerator<Row[]> {
  const client = await db.pool.connect()
  let held = true
  let busy = true
  let over = false

  /** Gives the connection back, as one that a transaction has ended in, or not at all. */
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
  // All rows will be wanted, not only the first. And the server too ends what outlives its time.
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
