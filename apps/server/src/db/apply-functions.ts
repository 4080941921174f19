/** Functions, triggers, views and grants: when a text has changed, all of them are made anew. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { PARTS } from './logins.ts'

const BEFORE_TABLES = 'before_tables.sql'

const MODULES: string[] = JSON.parse(
  readFileSync(new URL('../modules/order.json', import.meta.url), 'utf8'),
)

/** The schemas of the modules that do not have exactly one. */
const NOT_ONE: Readonly<Record<string, readonly string[]>> = {
  rooms: [],
  console: ['start', 'players', 'money', 'games', 'content'].map((area) => `console_${area}`),
}

/** The modules' schemas, lowest first: a file may use only its own schema and preceding ones. */
export const SCHEMAS: readonly string[] = [
  'app',
  ...MODULES.flatMap((name) => NOT_ONE[name] ?? name.replaceAll('-', '_')),
]

export type FunctionFile = {
  /** The path in the folder: `ledger.sql`, or `bets/book.sql` of a schema that has several. */
  name: string
  schema: string
  sql: string
}

/**
 * All files in the order in which they are applied: what tables need, and then by schema; a schema's own by name.
 *
 * @throws MigrationError if a file belongs to no schema of the order
 */
export async function readFunctions(folder: URL): Promise<FunctionFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.sql'))
  const files = await Promise.all(
    names.sort().map(async (name) => {
      const schema = name === BEFORE_TABLES ? 'app' : (name.replace('.sql', '').split('/')[0] ?? '')
      if (!SCHEMAS.includes(schema)) {
        throw new MigrationError(
          `functions/${name} is named after no schema in the order of schemas`,
        )
      }
      return { name, schema, sql: await readFile(new URL(name, folder), 'utf8') }
    }),
  )
  const position = ({ name, schema }: FunctionFile) =>
    name === BEFORE_TABLES ? -1 : SCHEMAS.indexOf(schema)
  return files.sort((one, other) => position(one) - position(other))
}

/** Identifies the texts of all files. */
export function hashOfFunctions(files: readonly FunctionFile[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex')
}

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

/**
 * Makes the schemas that are missing.
 *
 * @throws MigrationError if a new database has one of them: it is another application's, with all that is in it
 */
export async function makeSchemas(client: pg.Client, isNew: boolean): Promise<void> {
  const make = isNew ? 'create schema' : 'create schema if not exists'
  const sql = SCHEMAS.map((schema) => `${make} ${schema}`).join(';')
  await client.query(sql).catch((error: unknown) => {
    throw asMigrationError(error, { name: 'the schemas of the product', sql })
  })
}

/** Makes the functions that the migrations of this release need. */
export async function prepareForTables(
  client: pg.Client,
  files: readonly FunctionFile[],
): Promise<void> {
  const file = files.find(({ name }) => name === BEFORE_TABLES)
  if (file) await apply(client, file)
}

/**
 * Drops all functions, triggers, views and rights of our schemas and makes those of the files. Functions that tables
 * depend on stay, and are replaced.
 *
 * @throws MigrationError if a file cannot be applied
 */
export async function applyFunctions(
  client: pg.Client,
  files: readonly FunctionFile[],
): Promise<void> {
  await client.query(REVOKE)
  for (const [kind, names] of [
    ['view', VIEWS],
    ['function', FUNCTIONS],
  ] as const) {
    const { rows } = await client.query<{ name: string }>(names, [SCHEMAS])
    const list = rows.map(({ name }) => name).join(', ')
    // With the triggers that call them.
    if (list) await client.query(`drop ${kind} ${list} cascade`)
  }
  for (const file of files) await apply(client, file)
}

async function apply(client: pg.Client, { name, sql }: FunctionFile): Promise<void> {
  await client.query(sql).catch((error: unknown) => {
    throw asMigrationError(error, { name: `functions/${name}`, sql })
  })
}

const VIEWS = `
  select oid::regclass::text as name from pg_class
  where relkind = 'v' and relnamespace::regnamespace::text = any ($1)`

/** Those that no default, constraint, index or type needs. */
const FUNCTIONS = `
  select oid::regprocedure::text as name from pg_proc
  where pronamespace::regnamespace::text = any ($1) and not exists (
    select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = pg_proc.oid
      and classid in ('pg_attrdef'::regclass, 'pg_constraint'::regclass, 'pg_class'::regclass, 'pg_type'::regclass))`

const GRANTEES = ['public', 'sum28_application', ...PARTS.map((part) => `sum28_${part}`)].join(', ')

// The files grant all rights again: what they do not grant, only the owner may do.
const REVOKE = [
  'alter default privileges revoke execute on functions from public',
  ...SCHEMAS.flatMap((schema) => [
    `revoke all on schema ${schema} from ${GRANTEES}`,
    `revoke all on all tables in schema ${schema} from ${GRANTEES}`,
    `revoke all on all sequences in schema ${schema} from ${GRANTEES}`,
    `revoke execute on all functions in schema ${schema} from ${GRANTEES}`,
  ]),
].join(';\n')
