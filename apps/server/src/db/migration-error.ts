import type pg from 'pg'

/** A migration or a function that cannot be applied; the message says which and why. */
export class MigrationError extends Error {}

/** The same error with the file and the line in it. */
export function asMigrationError(error: unknown, file: { name: string; sql: string }) {
  const { position, message } = error as pg.DatabaseError
  const line = position ? file.sql.slice(0, Number(position)).split('\n').length : null
  return new MigrationError(`${file.name}${line ? `, line ${line}` : ''}: ${message}`, {
    cause: error,
  })
}
