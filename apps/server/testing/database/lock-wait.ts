import { eventually } from '../product/test-app.ts'
import type { TestDatabase } from './test-database.ts'

/** Waits until this many statements in the database, by default one, wait for locks that others hold. */
export async function somebodyWaits(
  { owner }: Pick<TestDatabase, 'owner'>,
  count = 1,
): Promise<void> {
  await eventually(async () => {
    const waiting = await owner.query(
      `select from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return waiting.length >= count || undefined
  })
}
