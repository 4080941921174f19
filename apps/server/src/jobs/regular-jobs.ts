/**
 * Adds the regular jobs to the queue, by the database's clock. The queue's library would do it by each machine's, of
 * which one that is ahead would stop them everywhere.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { repeatUntilEnded } from '#src/concurrency/repeat-until-ended.ts'
import type { Database } from '#src/db/database.ts'
import type { Log } from '#src/process/log.ts'

/** How often each begins, and how long after the full hour, or after midnight in UTC. */
export const REGULAR_JOBS: readonly [job: string, every: string, after: string][] = [
  ['count-rounds', '1 minute', '0'],
  ['read-payouts', '1 minute', '0'],
  ['seal-audit-log', '1 minute', '0'],
  ['release-deposits', '1 minute', '0'],
  ['tell-of-limits', '1 minute', '0'],
  ['alert-staff', '1 minute', '0'],
  ['house-keeping', '1 hour', '15 minutes'],
  ['find-signs', '1 hour', '25 minutes'],
  ['check-books', '1 day', '19:20'],
  ['write-audit-head', '1 day', '19:30'],
  ['snapshot-balances', '1 hour', '1 minute'],
  ['reencrypt-numbers', '1 day', '19:40'],
  ['mark-accounts', '5 minutes', '0'],
  ['compare-with-chain', '1 day', '19:50'],
  ['count-owed', '1 day', '20:00'],
  ['report-returns', '1 hour', '45 minutes'],
  ['anonymise-closed', '1 day', '20:10'],
]

/** How late a job begins at most. */
const LOOK_EVERY_MS = 1_000

const COLUMNS = [0, 1, 2].map((column) => REGULAR_JOBS.map((job) => job[column]))

/** Each job with the last time at which it was to begin. */
const LAST_TIMES = `
  select name, every, date_bin(every, now() - after, 'epoch') + after as last
  from unnest($1::text[], $2::interval[], $3::interval[]) as regular (name, every, after)`

/**
 * Adds those that are due until it is stopped. What was missed meanwhile, however often, is made up for once; a job that
 * is new begins at its next time.
 *
 * @throws if the first look fails
 */
export async function addRegularJobs({
  db,
  log,
  lookEveryMs = LOOK_EVERY_MS,
}: {
  db: Database
  log: Log
  /** Other values in tests. */
  lookEveryMs?: number
}): Promise<{ stop(): Promise<void> }> {
  await db.query(
    `insert into app.regular_job (name, begun_at) select name, last from (${LAST_TIMES}) regular
     on conflict do nothing`,
    COLUMNS,
  )
  await addDueJobs(db)
  const look = () => addDueJobs(db).then(() => lookEveryMs)
  return repeatUntilEnded(look, {
    wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    failed: (error) => log.warn({ error }, 'regular jobs will be added later'),
    afterFailureMs: lookEveryMs,
  })
}

/**
 * Adds each job that is due once, whichever process looks first. After the database's clock went back, a job waits
 * until it has passed the time that was noted, and so runs for no time twice; but where that is further ahead than the
 * job's own period, it runs at once, and is not kept waiting by a clock that was hours or years ahead.
 */
export async function addDueJobs(db: Database): Promise<void> {
  await db.query(
    `with due as (
       update app.regular_job job set begun_at = last from (${LAST_TIMES}) regular
       where job.name = regular.name and (begun_at < last or begun_at > last + every)
       returning job.name
     )
     select graphile_worker.add_job(name) from due`,
    COLUMNS,
  )
}
