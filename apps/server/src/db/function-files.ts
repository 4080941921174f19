/** The files of `sql/functions`, and the triggers and views in them. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { MigrationError } from './migration-step.ts'

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

/** Statements that change the shape of a table or view; they run only if their text has changed. */
export type Shape = { name: string; table: string; sql: string; sha256: string }

export type FunctionFile = {
  name: string
  schema: string
  /** The text without its triggers; line numbers do not change. */
  sql: string
  triggers: readonly Shape[]
  views: readonly Shape[]
}

export type FunctionFiles = {
  files: readonly FunctionFile[]
  /** A hash of all texts, which identifies the release. */
  sha256: string
}

/** @throws MigrationError if a file belongs to no schema of the order */
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

/** The text without these statements; line numbers do not change. */
export function blank(text: string, shapes: readonly Shape[]): string {
  return shapes.reduce((rest, { sql }) => rest.replace(sql, () => sql.replace(/[^\n]/g, '')), text)
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
