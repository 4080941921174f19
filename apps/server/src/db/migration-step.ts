import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A migration or a function that cannot be applied; the message says which and why. */
export class MigrationError extends Error {}

/**
 * How long a step waits for one lock, in milliseconds. Whoever needs the table meanwhile waits behind it,
 * also where he would not have to wait for those who hold the lock.
 */
const LOCK_WAIT_MS = 200
/**
 * Each tenth try waits so long, in milliseconds: PostgreSQL ends an autovacuum that stands in the way only for
 * who has waited for a second (`deadlock_timeout`).
 */
const LONG_LOCK_WAIT_MS = 1_500
const LONG_EVERY = 10
/** The pause before a step is tried again, in milliseconds: everybody who waited behind it goes on. */
const PAUSE_MS = 500
/** How long a step is tried, in milliseconds: less than Kubernetes gives a start. */
const TRIED_MS = 480_000

export type Step = {
  /** Names it for people. */
  about: string
  /** Its text, for the line of an error. */
  sql: string
  /** Hears how often in all a lock was not to be had. */
  onBusy?: (about: string, tries: number) => void
}

/**
 * Does one step of bringing a database up to date, all of it or nothing. A lock that others hold is waited
 * for in short tries, between which all that they do goes on.
 *
 * @param work may be begun several times: what it did before was rolled back
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

/** Whether a step failed for others alone: a lock was not to be had, or a row of the catalog was just changed. */
function isBusy(error: unknown): boolean {
  const cause = error instanceof MigrationError ? error.cause : error
  return (
    cause instanceof pg.DatabaseError &&
    (/^(55P03|40P01|40001)$/.test(cause.code ?? '') ||
      (cause.code === 'XX000' && cause.message === 'tuple concurrently updated'))
  )
}

/** The same error as one that says where in the text it is. */
export function asMigrationError(
  error: unknown,
  { about, sql }: Pick<Step, 'about' | 'sql'>,
): MigrationError {
  if (error instanceof MigrationError) return error
  const { position, message } = error as pg.DatabaseError
  const line = position && sql ? sql.slice(0, Number(position)).split('\n').length : null
  return new MigrationError(`${about}${line ? `, line ${line}` : ''}: ${message}`, { cause: error })
}
