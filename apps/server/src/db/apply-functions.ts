/**
 * Functions, views and grants: each has one text, in `sql/functions/<schema>.sql`. When a text has changed, all of
 * them are applied again, in one transaction that locks no table.
 */
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { applyTriggers, freeOfTriggers, noteViews, viewsOfText } from './apply-triggers.ts'
import { blank, CLOCK, type FunctionFile, type FunctionFiles, SCHEMAS } from './function-files.ts'
import { asMigrationError, inTransaction, MigrationError, type Step } from './migration-step.ts'
import { grantRights, type Release, readRights, writeReleases } from './releases.ts'

type Way = {
  /** Whether processes of the previous release may be running: what that release uses then stays. */
  beside: boolean
  onBusy?: Step['onBusy']
}

/** Makes the clock function if it does not exist yet. */
export async function applyClock(client: pg.Client, folder: URL): Promise<void> {
  const { rows } = await client.query(`select to_regprocedure('app.now()') as clock`)
  if (rows[0].clock !== null) return
  const sql = await readFile(new URL(CLOCK, folder), 'utf8')
  await inTransaction(client, { about: `functions/${CLOCK}`, sql }, async () => {
    await client.query(sql)
  })
}

/**
 * Applies every file if any has changed, then the triggers, and drops what is in no file any more. Functions and
 * grants that an earlier served release needs stay. A release that the present one still serves changes nothing.
 *
 * @throws MigrationError if a file cannot be applied, or a call of the previous release could mean two functions
 */
export async function applyFunctions(
  client: pg.Client,
  { files, sha256 }: FunctionFiles,
  releases: readonly Release[],
  { beside, onBusy }: Way,
): Promise<void> {
  const own = releases.find((release) => release.sha256 === sha256)
  if (beside && own?.place === 'before') return
  const others = releases.filter((release) => release !== own)
  const isAlone = others.every(({ place }) => place === 'past')
  if (own?.place !== 'present' || (!beside && !isAlone)) {
    const step = { about: 'functions', sql: '', ...(onBusy ? { onBusy } : {}) }
    await inTransaction(client, step, async () => {
      const served = beside ? others.filter(({ place }) => place !== 'past') : []
      const before = await Promise.all(served.map((release) => named(client, release)))
      const stay = before.flatMap(({ functions }) => functions)
      const functions = await replaceFunctions(client, files, stay)
      const rights = await readRights(client)
      const kept = new Set(before.flatMap((release) => release.rights))
      await grantRights(
        client,
        [...kept].filter((right) => !rights.includes(right)),
      )
      const past = others
        .filter((release) => !served.includes(release))
        .map((release) => ({ ...release, place: 'past' as const, functions: null, rights: null }))
      const number = own?.number ?? 1 + Math.max(0, ...releases.map((release) => release.number))
      const present = { sha256, number, place: 'present' as const, functions, rights }
      await writeReleases(client, [present, ...before, ...past])
    })
  }
  const isNoted = releases.some(({ functions }) => functions !== null)
  await applyTriggers(client, files, { isNoted, onBusy })
}

/** The row of an earlier release; a release without lists was the only one, and everything belongs to it. */
async function named(client: pg.Client, release: Release) {
  const { functions, rights } = release
  return {
    ...release,
    place: 'before' as const,
    functions: functions ?? (await readPlaces(client)).map(({ signature }) => signature),
    rights: rights ?? (await readRights(client)),
  }
}

type Place = {
  oid: number
  schema: string
  name: string
  signature: string
  /** The object id of its row: another one after the function was made or replaced. */
  row: string
  /** The numbers of arguments that a call may have. */
  least: number
  most: number
}

async function readPlaces(client: pg.Client): Promise<Place[]> {
  const { rows } = await client.query<Place>(
    `select oid, nspname as schema, proname as name, oid::regprocedure::text as signature,
       pg_proc.ctid::text as row, pronargs - pronargdefaults as least, pronargs as most
     from pg_proc join (select oid as schema_oid, nspname from pg_namespace) schema on schema_oid = pronamespace
     where nspname = any ($1)`,
    [SCHEMAS],
  )
  return rows
}

/**
 * Makes the functions of all files, and drops all others except those that stay.
 *
 * @param stay functions, with their parameters' types
 * @returns the functions of the files
 */
async function replaceFunctions(
  client: pg.Client,
  files: readonly FunctionFile[],
  stay: readonly string[],
): Promise<string[]> {
  await client.query(REVOKE)
  const places = await readPlaces(client)
  const rowOf = new Map(places.map(({ oid, row }) => [oid, row]))
  const isOld = ({ oid, row }: Place) => rowOf.get(oid) === row
  const aside = new Map<number, string>()
  const unchanged = await viewsOfText(client, files)
  for (const { name, schema, sql } of files) {
    const text = blank(sql, unchanged)
    const grants = text.search(/^grant /m)
    const split = grants < 0 ? text.length : grants
    await apply(client, name, text.slice(0, split))
    // A grant may name its function without parameters, so only one function may have that name.
    const now = (await readPlaces(client)).filter((place) => place.schema === schema)
    const made = new Set(now.filter((place) => !isOld(place)).map((place) => place.name))
    for (const old of now.filter((place) => isOld(place) && made.has(place.name))) {
      await client.query(`alter function ${old.signature} rename to "${old.name} of before"`)
      aside.set(old.oid, old.name)
    }
    // With the preceding lines, so that an error's line number is right.
    await apply(client, name, text.slice(0, split).replace(/[^\n]/g, '') + text.slice(split))
  }
  await noteViews(client, files)
  const all = await readPlaces(client)
  const old = all.filter((place) => isOld(place) || aside.has(place.oid))
  const present = all.filter((place) => !old.includes(place))
  const gone = old.filter((place) => !stay.includes(signatureOf(place, places)))
  // In one statement, because some of the functions call each other.
  if (gone.length > 0) {
    await freeOfTriggers(
      client,
      files,
      gone.map(({ oid }) => oid),
    )
    await client.query(`drop function ${gone.map(({ signature }) => signature).join(', ')}`)
  }
  for (const place of old.filter((each) => !gone.includes(each))) {
    const name = aside.get(place.oid)
    if (!name) continue
    refuseTwoMeanings({ ...place, name, signature: signatureOf(place, places) }, present)
    await client.query(`alter function ${place.signature} rename to ${name}`)
  }
  return present.map(({ signature }) => signature)
}

async function apply(client: pg.Client, file: string, sql: string): Promise<void> {
  await client.query(sql).catch((error: unknown) => {
    throw asMigrationError(error, { about: `functions/${file}`, sql })
  })
}

/** Restores what it was before it was set aside. */
function signatureOf({ oid, signature }: Place, before: readonly Place[]): string {
  return before.find((place) => place.oid === oid)?.signature ?? signature
}

/** A call of either release must match exactly one function, by the number of its arguments. */
function refuseTwoMeanings(old: Place, present: readonly Place[]): void {
  const other = present.find(
    ({ schema, name, least, most }) =>
      schema === old.schema && name === old.name && least <= old.most && old.least <= most,
  )
  if (!other) return
  throw new MigrationError(
    `functions/${old.schema}.sql: a call could mean ${other.signature} and ${old.signature}, which the release before calls. Give the new one another name; or stop all processes and run npm run upgrade:finish`,
  )
}

// The files define all rights again: what they do not grant, only the owner may do.
const REVOKE = [
  'alter default privileges revoke execute on functions from public',
  ...SCHEMAS.flatMap((schema) => [
    `revoke all on all tables in schema ${schema} from public, sum28_application`,
    `revoke all on all sequences in schema ${schema} from public, sum28_application`,
    `revoke execute on all functions in schema ${schema} from public, sum28_application`,
  ]),
].join(';\n')
