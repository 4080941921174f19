/** The coming months' partitions of the tables that are split by month. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '#src/db/database.ts'
import type { Log } from '#src/process/log.ts'

/** How many months ahead partitions must exist; this leaves many hours to retry. */
const MONTHS_AHEAD = 3

/** `lock_not_available`: another transaction is writing at this moment. */
const IN_USE = '55P03'

const TRIES_MAX = 30
const PAUSE_MS = 100

type Missing = { parent: string; month: string }

/**
 * Makes the missing partitions of the last, the present and the coming months. Each is made as a separate table and
 * then attached at a moment without writers, so that betting continues. A partition that could not be attached is
 * left for the next run.
 */
export async function ensurePartitions(
  { db, log }: { db: Database; log: Pick<Log, 'warn'> },
  signal?: AbortSignal,
): Promise<void> {
  const missing = await db.query<Missing>(
    `select parent, month from app.missing_partitions((app.now() - interval '1 month')::date, $1)`,
    [MONTHS_AHEAD + 1],
  )
  for (const { parent, month } of missing) {
    await db.query(`select app.prepare_partition($1, $2)`, [parent, month])
    if (!(await attach(db, { parent, month }, signal))) {
      log.warn({ parent, month }, 'a partition could not be attached yet: its table is in use')
    }
  }
}

async function attach(db: Database, part: Missing, signal?: AbortSignal): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    try {
      await db.query(`select app.attach_partition($1, $2)`, [part.parent, part.month])
      return true
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== IN_USE) throw error
    }
    if (tried === TRIES_MAX || signal?.aborted) return false
    // The pause grows, so that a long-running writer is not delayed repeatedly.
    await sleep(PAUSE_MS * Math.min(tried, 10), undefined, { signal }).catch(() => {})
  }
}
