/**
 * Functions, triggers, views and grants: each stands once, in `sql/functions/<schema>.sql`, and all of
 * them are applied anew, in one transaction, when a text has changed.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { asMigrationError, inTransaction, MigrationError } from './migration-step.ts'

/** Stands before the tables, whose defaults ask it. */
const CLOCK = 'clock.sql'

const MODULES: string[] = JSON.parse(
  readFileSync(new URL('../modules/order.json', import.meta.url), 'utf8'),
)

/** The modules that have a schema, lowest first: a file names only its own schema and those before it. */
export const SCHEMAS: readonly string[] = [
  'app',
  ...MODULES.filter((name) => name !== 'rooms').map((name) => name.replaceAll('-', '_')),
]

/** Makes the clock where it is not there yet. */
export async function applyClock(client: pg.Client, folder: URL): Promise<void> {
  const { rows } = await client.query(`select to_regprocedure('app.now()') as clock`)
  if (rows[0].clock !== null) return
  const sql = await readFile(new URL(CLOCK, folder), 'utf8')
  await inTransaction(client, { about: `functions/${CLOCK}`, sql }, async () => {
    await client.query(sql)
  })
}

/**
 * Applies every file where any has changed, and drops the functions and triggers that stand in none
 * any more.
 *
 * @throws MigrationError where a file does not apply, or is in no place of the order
 */
export async function applyFunctions(client: pg.Client, folder: URL): Promise<void> {
  const files = await readFunctions(folder)
  const sha256 = createHash('sha256').update(JSON.stringify(files)).digest('hex')
  await client.query(`create table if not exists public.function_text (
    only_one boolean primary key default true check (only_one), sha256 text not null)`)
  const { rowCount } = await client.query('select from public.function_text where sha256 = $1', [
    sha256,
  ])
  if (rowCount) return
  await inTransaction(client, { about: 'functions', sql: '' }, async () => {
    await client.query(REVOKE)
    const before = await functionPlaces(client)
    for (const { name, sql } of files) {
      await client.query(sql).catch((error: unknown) => {
        throw asMigrationError(error, { about: `functions/${name}`, sql })
      })
    }
    await dropWhatIsGone(client, before)
    await client.query(
      `insert into public.function_text (sha256) values ($1)
       on conflict (only_one) do update set sha256 = excluded.sha256`,
      [sha256],
    )
  })
}

async function readFunctions(folder: URL): Promise<{ name: string; sql: string }[]> {
  const names = [CLOCK, ...SCHEMAS.map((schema) => `${schema}.sql`)]
  const there = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  const unknown = there.find((file) => !names.includes(file))
  if (unknown) {
    throw new MigrationError(
      `functions/${unknown} is named after no schema in the order of schemas`,
    )
  }
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
  )
}

/** Each function and the place of its row, which is another one once it was made or replaced. */
async function functionPlaces(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; place: string }>(
    `select oid::regprocedure::text as name, ctid::text as place from pg_proc
     where pronamespace::regnamespace::text = any ($1)`,
    [SCHEMAS],
  )
  return new Map(rows.map(({ name, place }) => [name, place]))
}

/** Drops what stands in no file; triggers first, for they hold their functions. */
async function dropWhatIsGone(
  client: pg.Client,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(TRIGGERS_GONE, [SCHEMAS])
  for (const { statement } of rows) await client.query(statement)
  for (const [name, place] of await functionPlaces(client)) {
    if (before.get(name) === place) await client.query(`drop function ${name}`)
  }
}

// A trigger that was just made or replaced was written by this very transaction.
const TRIGGERS_GONE = `
  select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where relnamespace::regnamespace::text = any ($1) and not tgisinternal and tgparentid = 0
    and pg_trigger.xmin <> pg_current_xact_id()::xid`

// What may be done is said anew by the files: what they do not grant, nobody but the owner may.
const REVOKE = [
  'alter default privileges revoke execute on functions from public',
  ...SCHEMAS.flatMap((schema) => [
    `revoke all on all tables in schema ${schema} from public, sum28_application`,
    `revoke all on all sequences in schema ${schema} from public, sum28_application`,
    `revoke execute on all functions in schema ${schema} from public, sum28_application`,
  ]),
].join(';\n')
