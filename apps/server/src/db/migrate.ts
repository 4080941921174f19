/** Updates a database to the present release: numbered migrations, forward only, and the text of every function. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  applyFunctions,
  asMigrationError,
  type FunctionFile,
  hashOfFunctions,
  MigrationError,
  makeSchemas,
  prepareForTables,
  readFunctions,
} from './apply-functions.ts'
import { openPool } from './database.ts'
import { CONNECT_AT_START_MS } from './limits.ts'
import { withClient } from './with-client.ts'

/** The folders of the SQL. Without `functions` only migrations are applied. */
export type SqlFolders = { migrations: URL; functions?: URL }

export const OWN_SQL: SqlFolders = {
  migrations: new URL('../../sql/migrations/', import.meta.url),
  functions: new URL('../../sql/functions/', import.meta.url),
}

/** The row of `public.migration` that has the hash of the functions' texts. */
const FUNCTIONS = 'functions'

/** The row of texts that were there before. */
const replacedFunctions = (sha256: string) => `${FUNCTIONS} ${sha256}`

/**
 * Updates a database, as its owner, in one transaction. Safe if several processes start at once: the first does the
 * work while the others wait.
 *
 * @param mayGoBack whether functions may be put back that others have replaced: while somebody works on them
 * @returns the names of the migrations that were applied
 * @throws MigrationError, which names the file, the line and the cause
 */
export async function migrate(
  ownerUrl: string,
  folders = OWN_SQL,
  { mayGoBack = false } = {},
): Promise<string[]> {
  const migrations = await readMigrations(folders.migrations)
  const functions = folders.functions ? await readFunctions(folders.functions) : []
  return withClient(ownerUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('sum28 migrations'))`)
    const fresh = await inTransaction(client, () =>
      update(client, { migrations, functions, mayGoBack }),
    )
    await migrateQueue(ownerUrl)
    await client.query(GRANT_QUEUE)
    await client.query(CLOSE_DATABASE)
    return fresh
  })
}

/** Whether a database has this release's tables and functions. @param address of any login of the product */
export async function isMigrated(address: string): Promise<boolean> {
  const functions = await readFunctions(OWN_SQL.functions as URL)
  return withClient(address, async (client) => {
    const { rows } = await client.query(`select to_regclass('public.migration') as known`)
    if (rows[0].known === null) return false
    return (await readApplied(client)).get(FUNCTIONS) === hashOfFunctions(functions)
  })
}

/** How long one try waits for a lock, in ms: whoever needs the same table waits behind it. */
const LOCK_WAIT_MS = 2_000
const TRIES_MAX = 20
const PAUSE_MS = 500

/** Carries all of it out, or nothing. Where others hold its locks it is tried again, and meanwhile they continue. */
async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
      // The catalogue leaves out the schema of tables in the search path, and names are compared.
      await client.query('set local search_path = public')
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      // If the connection is gone, it is so because of that error, which says why.
      const undone = await client.query('rollback').then(
        () => true,
        () => false,
      )
      if (!undone || !isBusy(error) || tries === TRIES_MAX) throw error
    }
    await sleep(PAUSE_MS)
  }
}

/** Whether it failed only because others hold its locks. */
function isBusy(error: unknown): boolean {
  const cause = error instanceof MigrationError ? error.cause : error
  return cause instanceof pg.DatabaseError && /^(55P03|40P01)$/.test(cause.code ?? '')
}

type Release = {
  migrations: readonly Migration[]
  functions: readonly FunctionFile[]
  mayGoBack: boolean
}

async function update(
  client: pg.Client,
  { migrations, functions, mayGoBack }: Release,
): Promise<string[]> {
  await client.query(`create table if not exists public.migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default clock_timestamp())`)
  const applied = await readApplied(client)
  refuseOthers(applied, migrations)
  await makeSchemas(client, applied.size === 0)
  const fresh = migrations.filter(({ name }) => !applied.has(name))
  if (fresh.length > 0) await prepareForTables(client, functions)
  for (const migration of fresh) {
    await client.query(migration.sql).catch((error: unknown) => {
      throw asMigrationError(error, { ...migration, name: `migration ${migration.name}` })
    })
    await record(client, migration)
  }
  const sha256 = hashOfFunctions(functions)
  const present = applied.get(FUNCTIONS)
  if (functions.length > 0 && (fresh.length > 0 || present !== sha256)) {
    // A release that brings a migration is a later one, whatever its functions are.
    if (fresh.length === 0 && !mayGoBack && applied.has(replacedFunctions(sha256))) {
      throw new MigrationError(
        'the database has the functions of a later release: start the later one',
      )
    }
    await applyFunctions(client, functions)
    if (present) await record(client, { name: replacedFunctions(present), sha256: present })
    await client.query('delete from public.migration where name = $1', [replacedFunctions(sha256)])
    await record(client, { name: FUNCTIONS, sha256 })
  }
  return fresh.map(({ name }) => name)
}

/** A database that another release has changed further, or a migration that was changed since. */
function refuseOthers(applied: Map<string, string>, migrations: readonly Migration[]): void {
  const sources = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  for (const [name, sha256] of applied) {
    if (name.startsWith(FUNCTIONS)) continue
    if (!sources.has(name)) {
      throw new MigrationError(`the database has ${name} of a later release: start the later one`)
    }
    if (sources.get(name) !== sha256) {
      throw new MigrationError(
        `migration ${name} was changed after it had been applied: put the file back, or begin a new database`,
      )
    }
  }
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

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from public.migration',
  )
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

async function record(
  client: pg.Client,
  { name, sha256 }: { name: string; sha256: string },
): Promise<void> {
  await client.query(
    `insert into public.migration (name, sha256) values ($1, $2)
     on conflict (name) do update set sha256 = excluded.sha256, applied_at = excluded.applied_at`,
    [name, sha256],
  )
}

/**
 * Makes the queue's tables, or updates them, as the database's owner.
 *
 * The library is given a pool of ours: it closes its own without waiting for the end, and does not listen meanwhile, so
 * that a connection which is broken then would end the process.
 */
async function migrateQueue(ownerUrl: string): Promise<void> {
  const limits = { connectMs: CONNECT_AT_START_MS, lockMs: 0 }
  const pool = openPool(ownerUrl, { connectionsMax: 1, limits })
  try {
    // Commands and the engine's process, which do not migrate, start without the library.
    const { runMigrations } = await import('graphile-worker')
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
}

/**
 * The queue's tables belong to its library, which grants access to the owner only. Requests add jobs as the owner: with
 * a right to the tables they could take others away, or put them off for ever. Nobody needs the sequences of numbers.
 */
const GRANT_QUEUE = `
  grant usage on schema graphile_worker to sum28_api, sum28_jobs;
  grant select on graphile_worker.jobs to sum28_api;
  grant select, insert, update, delete on all tables in schema graphile_worker to sum28_jobs;
  grant execute on all functions in schema graphile_worker to sum28_api, sum28_jobs;
  alter function graphile_worker.add_job security definer set search_path = pg_catalog, pg_temp;
  do $$
  declare
    closed regclass;
  begin
    for closed in
      select oid::regclass from pg_class
      where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
        and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'application')
    loop
      execute format('create policy application on %s to sum28_jobs using (true) with check (true)', closed);
    end loop;
  end
  $$`

/** No part makes tables, and each may read which version the database has. */
const CLOSE_DATABASE = `
  grant select on public.migration to sum28_application;
  do $$
  begin
    execute format('revoke temporary on database %I from public', current_database());
  end
  $$`
