/** The files of `sql/functions`: the one text of each function, trigger, view and grant. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { MigrationError } from './migration-error.ts'

/** Applied before the tables, because their defaults use it. */
export const CLOCK = 'clock.sql'

const MODULES: string[] = JSON.parse(
  readFileSync(new URL('../modules/order.json', import.meta.url), 'utf8'),
)

/** The schemas of the modules that do not have exactly one. */
const NOT_ONE: Readonly<Record<string, readonly string[]>> = {
  rooms: [],
  console: ['start', 'players', 'money', 'games', 'content', 'reports'].map(
    (area) => `console_${area}`,
  ),
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
 * All files in the order in which they are applied: the clock, and then by schema; a schema's own by name.
 *
 * @throws MigrationError if a file belongs to no schema of the order
 */
export async function readFunctions(folder: URL): Promise<FunctionFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.sql'))
  const files = await Promise.all(
    names.sort().map(async (name) => {
      const schema = name === CLOCK ? 'app' : (name.replace('.sql', '').split('/')[0] ?? '')
      if (!SCHEMAS.includes(schema)) {
        throw new MigrationError(
          `functions/${name} is named after no schema in the order of schemas`,
        )
      }
      return { name, schema, sql: await readFile(new URL(name, folder), 'utf8') }
    }),
  )
  const position = ({ name, schema }: FunctionFile) =>
    name === CLOCK ? -1 : SCHEMAS.indexOf(schema)
  return files.sort((one, other) => position(one) - position(other))
}

/** Identifies the texts of all files. */
export function hashOfFunctions(files: readonly FunctionFile[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex')
}
