import type { TestDatabase } from '../database/test-database.ts'
import { eventually } from './test-app.ts'

/** Keeps the queue of a running product from beginning a scheduled job by itself, at whatever hour a test runs. */
export async function keepFromRunning(
  { owner }: Pick<TestDatabase, 'owner'>,
  job: string,
): Promise<void> {
  // The queue notes its scheduled jobs some time after its start.
  await eventually(async () => {
    const rows = await owner.query(
      `update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 day'
       where identifier = $1 returning 1`,
      [job],
    )
    return rows.length === 1 || undefined
  })
}
