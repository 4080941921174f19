/**
 * Migrations that build indexes concurrently (`create index concurrently`), which PostgreSQL only does outside of
 * transactions. Such a file contains nothing else.
 */
import type pg from 'pg'
import { asMigrationError, MigrationError, type Step } from './migration-step.ts'

const BUILD = /^create (?:unique )?index concurrently (?<name>\w+) on (?<schema>\w+)\.\w+\b/
const DROP = /^drop index concurrently if exists \w+\.\w+$/

/** Whether a migration builds or drops indexes concurrently. */
export function isOfIndexes(sql: string): boolean {
  return /\bindex concurrently\b/i.test(withoutComments(sql))
}

/**
 * Runs such a migration. Indexes that an earlier try finished stay; unfinished ones are dropped and built again.
 *
 * @throws MigrationError if the file contains anything else, or an index cannot be built
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
