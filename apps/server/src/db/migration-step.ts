import type pg from 'pg'

/** A migration or a function that cannot be applied; the message says which and why. */
export class MigrationError extends Error {}

/**
 * Does one step of bringing a database up to date, all of it or nothing.
 *
 * @param step `about` names it for people; `sql` is its text, for the line of an error
 * @throws MigrationError
 */
export async function inTransaction(
  client: pg.Client,
  step: { about: string; sql: string },
  work: () => Promise<void>,
): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw asMigrationError(error, step)
  }
}

/** The same error as one that says where in the text it is. */
export function asMigrationError(
  error: unknown,
  { about, sql }: { about: string; sql: string },
): MigrationError {
  if (error instanceof MigrationError) return error
  const { position, message } = error as pg.DatabaseError
  const line = position && sql ? sql.slice(0, Number(position)).split('\n').length : null
  return new MigrationError(`${about}${line ? `, line ${line}` : ''}: ${message}`, { cause: error })
}
