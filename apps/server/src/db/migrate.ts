/** Numbered SQL migrations, forward only, and the application's role. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations as migrateQueue } from 'graphile-worker'
import pg from 'pg'
import { StartError } from '#src/adapters/postgres/start-error.ts'
import { applicationRole } from './application-role.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

/** A migration that cannot be applied; the message says which and why. */
export class MigrationError extends Error {}

/**
 * Brings a database up to date, as its owner. Safe when several processes start at once: the first
 * does it while the others wait.
 *
 * @param folder where the migrations are: the product's own unless told
 * @returns the names of what was applied
 */
export async function migrate(ownerUrl: string, folder: URL = FOLDER): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('sum28 migrations'))`)
    await client.query(`create table if not exists public.migration (
      name text primary key, sha256 text not null, applied_at timestamptz not null default clock_timestamp())`)
    const applied = new Map(
      (
        await client.query<{ name: string; sha256: string }>(
          'select name, sha256 from public.migration',
        )
      ).rows.map((row) => [row.name, row.sha256]),
    )
    const fresh: string[] = []
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
      const sql = await readFile(new URL(name, folder), 'utf8')
      const sha256 = createHash('sha256').update(sql).digest('hex')
      const before = applied.get(name)
      if (before === sha256) continue
      if (before)
        throw new MigrationError(`migration ${name} was changed after it had been applied`)
      await applyOne(client, { name, sql, sha256 })
      fresh.push(name)
    }
    await migrateQueue({ connectionString: ownerUrl, logger: undefined } as never)
    await client.query(GRANT_QUEUE)
    return fresh
  } finally {
    await client.end()
  }
}

async function applyOne(
  client: pg.Client,
  { name, sql, sha256 }: { name: string; sql: string; sha256: string },
): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into public.migration (name, sha256) values ($1, $2)', [
      name,
      sha256,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const { position, message } = error as pg.DatabaseError
    const line = position ? sql.slice(0, Number(position)).split('\n').length : null
    throw new MigrationError(`migration ${name}${line ? `, line ${line}` : ''}: ${message}`, {
      cause: error,
    })
  }
}

/** The queue's tables belong to its library, which closes them to all but the owner. */
const GRANT_QUEUE = `
  grant usage on schema graphile_worker to sum28_application;
  grant select, insert, update, delete on all tables in schema graphile_worker to sum28_application;
  grant usage, select, update on all sequences in schema graphile_worker to sum28_application;
  grant execute on all functions in schema graphile_worker to sum28_application;
  do $$
  declare
    closed regclass;
  begin
    for closed in
      select oid::regclass from pg_class
      where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
        and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'application')
    loop
      execute format('create policy application on %s to sum28_application using (true) with check (true)', closed);
    end loop;
  end
  $$`

/**
 * Makes the login role through which the application works on one database, or gives it its
 * password anew.
 *
 * @returns the address under which the application connects
 */
export async function makeApplicationRole(ownerUrl: string, password: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ database: string }>(
      'select current_database() as database',
    )
    const database = rows[0]?.database ?? ''
    const role = applicationRole(database)
    const named = client.escapeIdentifier(role)
    // Two processes that start at once would meet in the same catalog row.
    await client.query(`select pg_advisory_lock(hashtext('sum28 application role'))`)
    const exists = await client.query('select from pg_roles where rolname = $1', [role])
    await client.query(
      `${exists.rowCount ? 'alter' : 'create'} role ${named} login password ${client.escapeLiteral(password)}`,
    )
    await client.query(`grant sum28_application to ${named}`)
    await client.query(
      `revoke temporary on database ${client.escapeIdentifier(database)} from public`,
    )
    const url = new URL(ownerUrl)
    url.username = encodeURIComponent(role)
    url.password = encodeURIComponent(password)
    return url.toString()
  } finally {
    await client.end()
  }
}

const SERVER_VERSION_MIN = 150_000

/**
 * Makes sure that a database of one's own can be reached, is new enough, and lets us make roles.
 *
 * @throws StartError, one sentence with the way out; the password is in none
 */
export async function reachDatabase(ownerUrl: string): Promise<void> {
  const { host, pathname } = new URL(ownerUrl)
  const where = `${host}${pathname}`
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
  } catch (cause) {
    throw new StartError(
      `The database at ${where} cannot be reached (${reasonOf(cause)}): check DATABASE_URL, or leave it out to use the embedded one.`,
      { cause },
    )
  }
  try {
    const { rows } = await client.query<{ version: number; may: boolean }>(
      `select current_setting('server_version_num')::integer as version, rolsuper or rolcreaterole as may
       from pg_roles where rolname = current_user`,
    )
    const { version = 0, may = false } = rows[0] ?? {}
    if (version < SERVER_VERSION_MIN) {
      throw new StartError(
        `The database at ${where} is older than PostgreSQL 15, which is the oldest that is supported.`,
      )
    }
    if (!may) {
      throw new StartError(
        `The role of DATABASE_URL at ${where} may not make roles: give it CREATEROLE, for the application works under a role of its own.`,
      )
    }
  } finally {
    await client.end()
  }
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as { code?: string; message?: string }
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  return [code, message].filter(Boolean).join(': ')
}
