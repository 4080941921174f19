/**
 * Frees the jobs and named queues that a killed process has left locked: the library would keep all later jobs of such
 * a queue waiting for four hours. Each process renews the locks of what it runs; a lock that was not renewed is of a
 * process that has ended, or that has no database.
 */
import type { WorkerEvents } from 'graphile-worker'
import type { Database } from '#src/db/database.ts'
import type { Log } from '#src/process/log.ts'

/** How often a process renews its locks, in milliseconds. */
export const RENEW_EVERY_MS = 60_000

/** A job and its queue are locked; others look at the queue alone. */
const LOCKED = ['graphile_worker._private_jobs', 'graphile_worker._private_job_queues']

/** Does so each time that the queue looks for old locks. @param events of all queues of this process */
export function freeJobs(events: WorkerEvents, { db, log }: { db: Database; log: Log }): void {
  const running = new Set<string>()
  events.on('job:start', ({ job }) => running.add(job.id))
  events.on('job:complete', ({ job }) => running.delete(job.id))

  /** When this process renewed its locks the last time, by the database's clock; null: never. */
  let renewedAt: number | null = null
  async function renewAndFree(): Promise<void> {
    const before = renewedAt
    const own = [[...running]]
    renewedAt = await db.value<number>(
      `with own as (
         update graphile_worker._private_jobs set locked_at = now()
         where id = any ($1::bigint[]) and locked_at is not null returning job_queue_id
       ), queue as (
         update graphile_worker._private_job_queues set locked_at = now()
         where id in (select job_queue_id from own) and locked_at is not null
       )
       select now()`,
      own,
    )
    if (before === null) return
    // Older than the last but one time, and not only old by now: after a pause of the database, or a step of its
    // clock forward, all processes have had the time to renew theirs. After a step back that time is ahead. No
    // process sets one that is ahead of both by more than a day.
    for (const table of LOCKED)
      await db.query(
        `update ${table} set locked_at = null, locked_by = null
         where locked_at < least(to_timestamp($1::float8 / 1000), now()) - interval '2 minutes'
           or locked_at > greatest(to_timestamp($1::float8 / 1000), now()) + interval '1 day'`,
        [before],
      )
  }
  events.on('resetLocked:started', () => {
    renewAndFree().catch((error: unknown) =>
      log.warn({ error }, 'the locks of jobs were not renewed'),
    )
  })
}
