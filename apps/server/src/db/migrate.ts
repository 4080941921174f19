/** Updates a database to the present release: numbered migrations, forward only, and the text of every function. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '#src/adapters/postgres/start-error.ts'
import { applicationPassword, applicationRole, dropApplicationRoles } from './application-role.ts'
import { applyClock, applyFunctions } from './apply-functions.ts'
import { readFunctions } from './function-files.ts'
import { buildIndexes, isOfIndexes } from './index-migration.ts'
import { CONNECT_AT_START_MS } from './limits.ts'
import { inTransaction, MigrationError, type Step } from './migration-step.ts'
import { GRANT_QUEUE, migrateQueue } from './queue-tables.ts'
import { readReleases } from './releases.ts'
import { withClient } from './with-client.ts'

/** The folder of the SQL. Without `functions` only migrations are applied. */
export type SqlFolders = { migrations: URL; functions?: URL }

export const OWN_SQL: SqlFolders = {
  migrations: new URL('../../sql/migrations/', import.meta.url),
  functions: new URL('../../sql/functions/', import.meta.url),
}

export type MigrateOptions = {
  /**
   * Whether processes of the previous release may be running, as in a rolling upgrade: then what they call stays, and
   * a release that the present one still serves changes nothing.
   */
  beside?: boolean
  /** Called when a step must be retried because others hold its locks. */
  onBusy?: Step['onBusy']
}

/**
 * Updates a database, as its owner. Safe if several processes start at once: the first does the work while the others
 * wait.
 *
 * @returns the names of the migrations that were applied
 * @throws MigrationError, which names the file, the line and the cause
 */
export async function migrate(
  ownerUrl: string,
  folders: SqlFolders = OWN_SQL,
  { beside = true, onBusy }: MigrateOptions = {},
): Promise<string[]> {
  return withClient(ownerUrl, async (client) => {
    // The catalogue leaves out the schema of tables in the search path, and names are compared.
    await client.query('set search_path = public')
    await takeTurn(client)
    await client.query(`create table if not exists public.migration (
      name text primary key, sha256 text not null, applied_at timestamptz not null default clock_timestamp())`)
    const migrations = await readMigrations(folders.migrations)
    const functions = folders.functions ? await readFunctions(folders.functions) : null
    const releases = functions ? await readReleases(client) : []
    const own = releases.find(({ sha256 }) => sha256 === functions?.sha256)
    const present = releases.find(({ place }) => place === 'present')
    const isOlder = own !== undefined && present !== undefined && own.number < present.number
    if (beside && isOlder && own.place === 'past') throw new MigrationError(IS_PAST)
    if (beside && !own && releases.length > 0) await refuseLaterTables(client, migrations)
    if (folders.functions) await applyClock(client, folders.functions)
    const fresh = await applyMigrations(client, migrations, onBusy)
    const way = { beside, ...(onBusy ? { onBusy } : {}) }
    if (functions) await applyFunctions(client, functions, releases, way)
    await migrateQueue(ownerUrl)
    await client.query(GRANT_QUEUE)
    return fresh
  })
}

const IS_PAST =
  'this release served the database once, and a later one has taken its place for good: start the later one, or run npm run upgrade:finish of this one to go back when no process of the other is at work'

/** The pause before checking again whether another process has updated the database, in ms. */
const TURN_MS = 200

/**
 * Waits until no other process updates the database. It polls: a statement that waits for a lock holds a snapshot,
 * and a concurrent index build waits until all snapshots end.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  const ask = `select pg_try_advisory_lock(hashtext('sum28 migrations')) as mine`
  while (!(await client.query<{ mine: boolean }>(ask)).rows[0]?.mine) await sleep(TURN_MS)
}

/** A release that is neither the present nor an earlier served one must not work on newer tables. */
async function refuseLaterTables(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from public.migration where name <> all ($1) order by name desc limit 1',
    [migrations.map(({ name }) => name)],
  )
  if (!rows[0]) return
  throw new MigrationError(
    `the database has ${rows[0].name} of a later release, which does not know this release: start the later one`,
  )
}

type Migration = { name: string; sql: string; sha256: string }

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function applyMigrations(
  client: pg.Client,
  migrations: readonly Migration[],
  onBusy: Step['onBusy'],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from public.migration',
  )
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  const fresh: string[] = []
  for (const { name, sql, sha256 } of migrations) {
    const before = applied.get(name)
    if (before === sha256) continue
    if (before) {
      throw new MigrationError(`migration ${name} was changed after it had been applied`)
    }
    const step = { about: `migration ${name}`, sql, ...(onBusy ? { onBusy } : {}) }
    const indexes = isOfIndexes(sql)
    if (indexes) await buildIndexes(client, step)
    await inTransaction(client, step, async () => {
      if (!indexes) await client.query(sql)
      await record(client, { name, sha256 })
    })
    fresh.push(name)
  }
  return fresh
}

async function record(
  client: pg.Client,
  { name, sha256 }: { name: string; sha256: string },
): Promise<void> {
  await client.query('insert into public.migration (name, sha256) values ($1, $2)', [name, sha256])
}

/**
 * Makes the login role under which processes with a secret key work on one database, or sets its password again. The
 * roles of other keys stay.
 *
 * @returns the address under which the application connects
 */
export async function makeApplicationRole(ownerUrl: string, secretKey: string): Promise<string> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ database: string }>(
      'select current_database() as database',
    )
    const database = rows[0]?.database ?? ''
    const role = applicationRole(database, secretKey)
    const password = applicationPassword(secretKey)
    const named = client.escapeIdentifier(role)
    // Two processes that start at once would update the same catalog row.
    await client.query(`select pg_advisory_lock(hashtext('sum28 application role'))`)
    const exists = await client.query('select from pg_roles where rolname = $1', [role])
    await client.query(
      `${exists.rowCount ? 'alter' : 'create'} role ${named} login password ${client.escapeLiteral(password)}`,
    )
    await client.query(`grant sum28_application to ${named}`)
    // Without this, PostgreSQL's JIT would compile the plan of each order for seconds: bets.place disables sequential
    // scans, and the planner then estimates very high costs.
    await client.query(`alter role ${named} set jit = off`)
    await client.query(
      `revoke temporary on database ${client.escapeIdentifier(database)} from public`,
    )
    const url = new URL(ownerUrl)
    url.username = encodeURIComponent(role)
    url.password = encodeURIComponent(password)
    return url.toString()
  })
}

/** PostgreSQL takes a moment to notice that the connections of an ended process are closed. */
const CONNECTIONS_END_MS = 10_000

/**
 * Drops the login roles of other secret keys. Waits for processes that are just ending.
 *
 * @throws StartError where processes work under them
 */
export async function dropOtherLogins(
  ownerUrl: string,
  secretKey: string,
  { waitMs = CONNECTIONS_END_MS } = {},
): Promise<void> {
  return withClient(ownerUrl, async (client) => {
    const database = client.database ?? ''
    const begun = performance.now()
    let used = await dropApplicationRoles(client, database, secretKey)
    while (used.length > 0 && performance.now() - begun < waitMs) {
      await sleep(250)
      used = await dropApplicationRoles(client, database, secretKey)
    }
    if (used.length === 0) return
    throw new StartError(
      `Processes of another SECRET_KEY or of a release before are at work as ${used.join(' and ')}: replace them, then try again.`,
    )
  })
}

const SERVER_VERSION_MIN = 150_000

/**
 * Checks that an external database is reachable, is new enough, and lets us make roles.
 *
 * @throws StartError, one sentence that says what to do; it never contains the password
 */
export async function reachDatabase(ownerUrl: string): Promise<void> {
  const { host, pathname } = new URL(ownerUrl)
  const where = `${host}${pathname}`
  const address = { connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_AT_START_MS }
  const { version = 0, may = false } = await withClient(address, readServer).catch((cause) => {
    throw new StartError(
      `The database at ${where} cannot be reached (${reasonOf(cause)}): check DATABASE_URL, or leave it out to use the embedded one.`,
      { cause },
    )
  })
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
}

type ServerFacts = { version: number; may: boolean }

async function readServer(client: pg.Client): Promise<Partial<ServerFacts>> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num')::integer as version, rolsuper or rolcreaterole as may
     from pg_roles where rolname = current_user`,
  )
  return rows[0] ?? {}
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as { code?: string; message?: string }
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  return [code, message].filter(Boolean).join(': ')
}
