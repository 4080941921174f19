/**
 * Migrations that build indexes beside traffic (`create index concurrently`), which PostgreSQL does outside
 * of transactions: such a file has nothing else in it.
 */
import type pg from 'pg'
import { asMigrationError, MigrationError, type Step } from './migration-step.ts'

const BUILD = /^create (?:unique )?index concurrently (?<name>\w+) on (?<schema>\w+)\.\w+\b/
const DROP = /^drop index concurrently if exists \w+\.\w+$/

/** Whether a migration builds or drops indexes beside traffic. */
export function isOfIndexes(sql: string): boolean {
  return /\bindex concurrently\b/i.test(withoutComments(sql))
}

/**
 * Does such a migration. What an earlier try has built stays, and what it has left unfinished is dropped.
 *
 * @throws MigrationError where the file has anything else in it, or an index cannot be built
 */
export async function buildIndexes(client: pg.Client, { about, sql }: Step): Promise<void> {
  const statements = withoutComments(sql)
    .split(';')
    .map((each) => each.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
  for (const statement of statements) {
    if (!BUILD.test(statement) && !DROP.test(statement)) {
      throw new MigrationError(
        `${about}: “${statement}” has to stand in another migration, for indexes are built concurrently outside of transactions (create index concurrently name on schema.table …; drop index concurrently if exists schema.name)`,
      )
    }
  }
  try {
    for (const statement of statements) {
      const { schema, name } = BUILD.exec(statement)?.groups ?? {}
      if (!name || (await isToBeBuilt(client, `${schema}.${name}`))) await client.query(statement)
    }
  } catch (error) {
    throw asMigrationError(error, { about, sql: '' })
  }
}

async function isToBeBuilt(client: pg.Client, index: string): Promise<boolean> {
  const { rows } = await client.query<{ whole: boolean }>(
    'select indisvalid as whole from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (rows[0]?.whole) return false
  if (rows[0]) await client.query(`drop index concurrently ${index}`)
  return true
}

function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*/g, '')
}
