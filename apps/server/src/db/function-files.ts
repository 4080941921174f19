/** The files of `sql/functions`, and the triggers and views that stand in them. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { MigrationError } from './migration-step.ts'

/** Stands before the tables, whose defaults ask it. */
export const CLOCK = 'clock.sql'

const MODULES: string[] = JSON.parse(
  readFileSync(new URL('../modules/order.json', import.meta.url), 'utf8'),
)

/** The modules that have a schema, lowest first: a file names only its own schema and those before it. */
export const SCHEMAS: readonly string[] = [
  'app',
  ...MODULES.filter((name) => name !== 'rooms').map((name) => name.replaceAll('-', '_')),
]

/** What changes the shape of a table or view, and is left alone while its text stays. */
export type Shape = { name: string; table: string; sql: string; sha256: string }

export type FunctionFile = {
  name: string
  schema: string
  /** The text without its triggers, in as many lines. */
  sql: string
  triggers: readonly Shape[]
  views: readonly Shape[]
}

export type FunctionFiles = {
  files: readonly FunctionFile[]
  /** Of all texts: which release it is. */
  sha256: string
}

/** @throws MigrationError where a file is in no place of the order of schemas */
export async function readFunctions(folder: URL): Promise<FunctionFiles> {
  const names = [CLOCK, ...SCHEMAS.map((schema) => `${schema}.sql`)]
  const there = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  const unknown = there.find((file) => !names.includes(file))
  if (unknown) {
    throw new MigrationError(
      `functions/${unknown} is named after no schema in the order of schemas`,
    )
  }
  const texts = await Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
  )
  return { files: texts.map(splitFile), sha256: sha256Of(JSON.stringify(texts)) }
}

const TRIGGER = /^create or replace trigger (?<name>\w+)\s[^;]*?\bon (?<table>\w+\.\w+)\b[^;]*;$/gm
const VIEW = /^create or replace view (?<table>(?<name>\w+\.\w+)) as\b[^;]*;$/gm

function splitFile({ name, sql }: { name: string; sql: string }): FunctionFile {
  const triggers = shapesOf(sql, TRIGGER)
  const rest = blank(sql, triggers)
  const line = /^create (?:or replace )?(?:constraint )?trigger\b.*/im.exec(rest)
  if (line) {
    throw new MigrationError(
      `functions/${name}: write “${line[0]}” as “create or replace trigger name … on schema.table …;”`,
    )
  }
  const schema = name === CLOCK ? 'app' : name.replace('.sql', '')
  return { name, schema, sql: rest, triggers, views: shapesOf(sql, VIEW) }
}

function shapesOf(text: string, form: RegExp): Shape[] {
  return [...text.matchAll(form)].map(({ 0: sql, groups: { name = '', table = '' } = {} }) => ({
    ...{ name, table, sql },
    sha256: sha256Of(sql),
  }))
}

/** The text without these statements, and with its line numbers. */
export function blank(text: string, shapes: readonly Shape[]): string {
  return shapes.reduce((rest, { sql }) => rest.replace(sql, () => sql.replace(/[^\n]/g, '')), text)
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
