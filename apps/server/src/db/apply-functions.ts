/** Functions, triggers, views and grants: when a text has changed, all of them are made anew. */
import type pg from 'pg'
import { CLOCK, type FunctionFile, SCHEMAS } from './function-files.ts'
import { asMigrationError } from './migration-error.ts'

/** Makes the clock function if it does not exist yet: the defaults of tables use it. */
export async function applyClock(client: pg.Client, files: readonly FunctionFile[]): Promise<void> {
  const { rows } = await client.query(`select to_regprocedure('app.now()') as clock`)
  const clock = files.find(({ name }) => name === CLOCK)
  if (clock && rows[0].clock === null) await apply(client, clock)
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

// The files grant all rights again: what they do not grant, only the owner may do.
const REVOKE = [
  'alter default privileges revoke execute on functions from public',
  ...SCHEMAS.flatMap((schema) => [
    `revoke all on all tables in schema ${schema} from public, sum28_application`,
    `revoke all on all sequences in schema ${schema} from public, sum28_application`,
    `revoke execute on all functions in schema ${schema} from public, sum28_application`,
  ]),
].join(';\n')
