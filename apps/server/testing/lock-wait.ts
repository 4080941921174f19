import { eventually } from './test-app.ts'
import type { TestDatabase } from './test-database.ts'

/** Waits until some statement in the database waits for a lock that another holds. */
export async function somebodyWaits({ owner }: Pick<TestDatabase, 'owner'>): Promise<void> {
  await eventually(async () => {
    const waiting = await owner.query(
      `select from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return waiting.length > 0 || undefined
  })
}
