/** Two calls at once: the second begins while the first is not committed, and is answered after it. */

import { onTestFinished } from 'vitest'
import { type Database, type Queryable, queryable, type Transaction } from '#src/db/database.ts'
import { CIPHER } from '../product/secret-key.ts'
import { eventually } from '../requests/patience.ts'
import type { TestDatabase } from './test-database.ts'

/**
 * Makes the first call in a transaction that is committed as soon as the second waits for it.
 *
 * @param calls `whileWaiting`: what the first transaction also does, once the second call waits
 * @returns the answer of the second call
 */
export async function answerAfter<Answer>(
  database: Pick<TestDatabase, 'owner'>,
  calls: {
    first(tx: Transaction): Promise<unknown>
    second(): Promise<Answer>
    whileWaiting?(tx: Transaction): Promise<unknown>
  },
): Promise<Answer> {
  const { answer } = await database.owner.transaction(async (tx) => {
    await calls.first(tx)
    const answer = calls.second()
    // A second call that waits for nothing is answered at once.
    await Promise.race([somebodyWaits(database), answer])
    await calls.whileWaiting?.(tx)
    return { answer }
  })
  return answer
}

/** Sends statements directly: one that the database aborts because of a deadlock is not sent again. */
export function withoutRetry({ pool }: Database): Queryable {
  return queryable(async (text, values) => (await pool.query(text, [...(values ?? [])])).rows)
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
    cipher: CIPHER,
    ...queryable(async (text, values) => (await client.query(text, [...(values ?? [])])).rows),
    async commit() {
      await client.query('commit')
    },
  }
}

/** Waits until this many statements in the database, by default one, wait for locks that others hold. */
export async function somebodyWaits({ owner }: { owner: Queryable }, count = 1): Promise<void> {
  await eventually(async () => {
    const waiting = await owner.query(
      `select from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return waiting.length >= count
  })
}
