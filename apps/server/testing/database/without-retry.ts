import { onTestFinished } from 'vitest'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'

/** Sends statements directly: one that the database aborts because of a deadlock is not sent again. */
export function withoutRetry({ pool }: Database): Queryable {
  return { query: async (text, values) => (await pool.query(text, [...(values ?? [])])).rows }
}

/** A transaction that is begun; it is not tried again if the database aborts it because of a deadlock. */
export async function beginWithoutRetry({
  pool,
}: Database): Promise<Transaction & { commit(): Promise<void> }> {
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('begin')
  return {
    inTransaction: true,
    query: async (text, values) => (await client.query(text, [...(values ?? [])])).rows,
    async commit() {
      await client.query('commit')
    },
  }
}
