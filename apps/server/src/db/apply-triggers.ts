/**
 * Triggers, each in its own short transaction, because making one locks its table against writing. A trigger whose
 * text has not changed stays; its comment in the database identifies its text.
 */
import type pg from 'pg'
import { type FunctionFile, SCHEMAS, type Shape } from './function-files.ts'
import { inTransaction, type Step } from './migration-step.ts'

/** @param isNoted whether the comments are reliable: a release that writes none may have made triggers since */
export async function applyTriggers(
  client: pg.Client,
  files: readonly FunctionFile[],
  { isNoted, onBusy }: { isNoted: boolean; onBusy: Step['onBusy'] },
): Promise<void> {
  const { rows } = await client.query<Found>(TRIGGERS, [SCHEMAS])
  const texts = new Map(
    rows.map(({ name, table, text }) => [`${name} on ${table}`, isNoted ? text : null]),
  )
  const wanted = files.flatMap(({ triggers }) => triggers)
  const step = (about: string, sql: string) =>
    inTransaction(client, { about, sql, ...(onBusy ? { onBusy } : {}) }, async () => {
      await client.query(sql)
    })
  for (const { name, table, sql, sha256 } of wanted) {
    const place = `${name} on ${table}`
    if (texts.get(place) === sha256) continue
    await step(`trigger ${place}`, noted({ place, sql, sha256 }))
  }
  const places = new Set(wanted.map(({ name, table }) => `${name} on ${table}`))
  for (const place of texts.keys()) {
    if (!places.has(place)) await step(`trigger ${place}`, `drop trigger ${place}`)
  }
}

function noted({ place, sql, sha256 }: { place: string; sql: string; sha256: string }): string {
  return `${sql}\ncomment on trigger ${place} is '${sha256}'`
}

/** Detaches triggers from functions that are about to be dropped: makes them again, or drops them. */
export async function freeOfTriggers(
  client: pg.Client,
  files: readonly FunctionFile[],
  functions: readonly number[],
): Promise<void> {
  const wanted = new Map(
    files
      .flatMap(({ triggers }) => triggers)
      .map(({ name, table, ...text }) => [`${name} on ${table}`, text]),
  )
  const { rows } = await client.query<Found & { calls: number }>(TRIGGERS, [SCHEMAS])
  for (const { name, table } of rows.filter(({ calls }) => functions.includes(calls))) {
    const place = `${name} on ${table}`
    const text = wanted.get(place)
    await client.query(text ? noted({ place, ...text }) : `drop trigger ${place}`)
  }
}

type Found = { name: string; table: string; text: string | null }

const TRIGGERS = `
  select tgname as name, tgrelid::regclass::text as table, tgfoid as calls,
    obj_description(pg_trigger.oid, 'pg_trigger') as text
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where relnamespace::regnamespace::text = any ($1) and not tgisinternal and tgparentid = 0`

/** The views whose text is already in the database: making one again would lock it against reading. */
export async function viewsOfText(
  client: pg.Client,
  files: readonly FunctionFile[],
): Promise<Shape[]> {
  const { rows } = await client.query<Found>(
    `select relname as name, oid::regclass::text as table, obj_description(oid, 'pg_class') as text
     from pg_class where relkind = 'v' and relnamespace::regnamespace::text = any ($1)`,
    [SCHEMAS],
  )
  const texts = new Map(rows.map(({ table, text }) => [table, text]))
  return files
    .flatMap(({ views }) => views)
    .filter(({ table, sha256 }) => texts.get(table) === sha256)
}

/** Records for each view that it has its file's text. */
export async function noteViews(client: pg.Client, files: readonly FunctionFile[]): Promise<void> {
  const same = await viewsOfText(client, files)
  for (const view of files.flatMap(({ views }) => views)) {
    if (same.includes(view)) continue
    await client.query(`comment on view ${view.table} is '${view.sha256}'`)
  }
}
