import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A migration or a function that cannot be applied; the message says which and why. */
export class MigrationError extends Error {}

/**
 * How long a step waits for one lock, in milliseconds. Others that need the table queue behind it meanwhile, even
 * those that do not conflict with the present holder of the lock.
 */
const LOCK_WAIT_MS = 200
/**
 * Every tenth try waits this long, in milliseconds: PostgreSQL cancels an autovacuum that blocks a lock only after
 * the lock was waited for longer than `deadlock_timeout`, one second.
 */
const LONG_LOCK_WAIT_MS = 1_500
const LONG_EVERY = 10
/** The pause before a step is retried, in milliseconds: everyone who queued behind it continues. */
const PAUSE_MS = 500
/** How long a step is retried, in milliseconds: less than the time that Kubernetes allows for a start. */
const TRIED_MS = 480_000

export type Step = {
  /** A name for log lines. */
  about: string
  /** Its SQL text, for the line number of an error. */
  sql: string
  /** Called with the number of tries that got no lock. */
  onBusy?: (about: string, tries: number) => void
}

/**
 * Runs one step of an update, completely or not at all. It waits for locks in short tries, and between the tries all
 * other work continues.
 *
 * @param work may run several times: each failed try was rolled back
 * @throws MigrationError
 */
export async function inTransaction(
  client: pg.Client,
  step: Step,
  work: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + TRIED_MS
  for (let tries = 1; ; tries += 1) {
    const waitMs = tries % LONG_EVERY === 0 ? LONG_LOCK_WAIT_MS : LOCK_WAIT_MS
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${waitMs}`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!isBusy(error)) throw asMigrationError(error, step)
      step.onBusy?.(step.about, tries)
      if (performance.now() > end) {
        throw new MigrationError(
          `${step.about}: others held its locks at each of ${tries} tries; end the long transactions that pg_stat_activity shows, and start again`,
          { cause: error },
        )
      }
    }
    await sleep(PAUSE_MS)
  }
}

/** Whether a step failed only because of others: a lock was not available, or a catalog row has just changed. */
function isBusy(error: unknown): boolean {
  const cause = error instanceof MigrationError ? error.cause : error
  return (
    cause instanceof pg.DatabaseError &&
    (/^(55P03|40P01|40001)$/.test(cause.code ?? '') ||
      (cause.code === 'XX000' && cause.message === 'tuple concurrently updated'))
  )
}

/** The same error with its position in the text. */
export function asMigrationError(
  error: unknown,
  { about, sql }: Pick<Step, 'about' | 'sql'>,
): MigrationError {
  if (error instanceof MigrationError) return error
  const { position, message } = error as pg.DatabaseError
  const line = position && sql ? sql.slice(0, Number(position)).split('\n').length : null
  return new MigrationError(`${about}${line ? `, line ${line}` : ''}: ${message}`, { cause: error })
}
