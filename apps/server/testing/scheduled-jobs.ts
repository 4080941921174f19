import type { TestDatabase } from './test-database.ts'

/** Keeps the queue of a running product from beginning a scheduled job by itself, at whatever hour a test runs. */
export async function keepFromRunning(
  { owner }: Pick<TestDatabase, 'owner'>,
  job: string,
): Promise<void> {
  const rows = await owner.query(
    `update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 day'
     where identifier = $1 returning 1`,
    [job],
  )
  if (rows.length !== 1) throw new Error(`the queue does not know ${job} yet`)
}
