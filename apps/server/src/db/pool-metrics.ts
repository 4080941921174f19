/** The product's own metrics: instruments of one registry, read at /metrics. */
import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Queryable } from '#src/db/database.ts'
import { readOneByOne } from '#src/db/shared-reads.ts'

/** Connections of a pool, and how many callers wait for one. */
export type PoolUse = { readonly used: number; readonly idle: number; readonly waiting: number }

export function poolUse({ totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/**
 * Registers how many connections of each pool are in use.
 *
 * @param read each pool by its name; no values while they are unknown
 */
export function showPools(
  registry: Registry,
  name: string,
  help: string,
  read: () => Readonly<Record<string, PoolUse>>,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [pool, use] of Object.entries(read())) {
        for (const [state, count] of Object.entries(use)) this.set({ pool, state }, count)
      }
    },
  })
}

/** Registers the sizes of the job queue. While the database is down there are no values. */
export function showJobs(registry: Registry, db: Queryable): void {
  type Jobs = { age: number; failed: number }
  const read = readOneByOne(async () => {
    const [row] = await db
      .query<Jobs>(
        `select coalesce(extract(epoch from max(now() - run_at) filter (where attempts < max_attempts)), 0)::float8 as age,
           (count(*) filter (where attempts >= max_attempts))::integer as failed
         from graphile_worker.jobs where run_at <= now()`,
      )
      .catch(() => [])
    return row ?? null
  })
  function gauge(name: string, help: string, field: keyof Jobs): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const jobs = await read()
        if (jobs) this.set(jobs[field])
        else this.reset()
      },
    })
  }
  gauge(
    'sum28_job_age_seconds',
    'Since when the oldest job that is due waits or is being worked on.',
    'age',
  )
  gauge(
    'sum28_jobs_failed',
    'Jobs that failed as often as they are tried, and are not tried again.',
    'failed',
  )
}
