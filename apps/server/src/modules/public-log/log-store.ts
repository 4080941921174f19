/** The public log's SQL: its entries in their order, its subtrees and its signed states. */
import { TILE_WIDTH, type Tile } from '@sum28/fairness/log-tiles.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'

const ENTRIES_AT_ONCE = 4_096

/** Gives places to the entries that wait for one. @returns how many the log has then */
export async function placeEntries(db: Queryable): Promise<number> {
  return Number(await callFunction<bigint>(db, 'public_log.place_entries', ENTRIES_AT_ONCE))
}

export async function countPlaced(db: Queryable): Promise<number> {
  const count = 'select coalesce(max(position) + 1, 0) as size from public_log.entry'
  return Number((await db.one<{ size: bigint }>(count)).size)
}

/** Stores whether the present log has witnesses: then a round that none saw in time is a fault. */
export async function noteWitnesses(db: Queryable, asked: boolean): Promise<void> {
  await db.query(
    `update public_log.name set asks_witnesses = $1
     where number = (select max(number) from public_log.name) and asks_witnesses <> $1`,
    [asked],
  )
}

/** The number of the log's name that is in use. */
export async function logNumber(db: Queryable): Promise<number> {
  return (await db.one<{ number: number }>('select max(number) as number from public_log.name'))
    .number
}

/** The texts of a bundle. */
export async function entriesOf(db: Queryable, { index, width }: Tile): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select text from public_log.entry where position >= $1 and position < $2 order by position`,
    rangeOf(index, width),
  )
  return rows.map(({ text }) => text)
}

/**
 * The hashes of a tile, from the log's beginning or from its subtrees.
 * @throws if some are missing
 */
export async function hashesOf(
  db: Queryable,
  { level, index, width }: Tile & { level: number },
): Promise<Buffer[]> {
  const range = rangeOf(index, width)
  const rows = await db.query<{ hash: Buffer }>(
    level === 0
      ? `select sha256('\\x00'::bytea || convert_to(text, 'UTF8')) as hash from public_log.entry
         where position >= $1 and position < $2 order by position`
      : `select hash from public_log.node
         where position >= $1 and position < $2 and level = $3 order by position`,
    level === 0 ? range : [...range, level],
  )
  if (rows.length !== width) {
    throw new LostTile(
      `tile ${index} at level ${level} of the public log has ${rows.length} of ${width} hashes`,
    )
  }
  return rows.map(({ hash }) => hash)
}

/** A part of the log is not there any more. */
export class LostTile extends Error {}

function rangeOf(index: number, width: number): [number, number] {
  return [index * TILE_WIDTH, index * TILE_WIDTH + width]
}

export type CheckpointRow = {
  size: number
  /** A signed note. */
  note: string
  /** The earliest time of a witness, in milliseconds since 1970; null if none has signed. */
  witnessedAt: number | null
  madeAt: number
}

/** The largest state that was signed, the last one of that size; null for a log that has none. */
export async function latestCheckpoint(
  db: Queryable,
  origin: string,
): Promise<CheckpointRow | null> {
  const [row] = await db.query<Omit<CheckpointRow, 'size'> & { size: bigint }>(
    `select size, note, witnessed_at as "witnessedAt", made_at as "madeAt" from public_log.checkpoint
     where origin = $1 order by size desc, id desc limit 1`,
    [origin],
  )
  return row ? { ...row, size: Number(row.size) } : null
}

/** Stores a signed state, and marks the rounds whose books it has if a witness has signed it. */
export async function addCheckpoint(
  db: Database,
  row: { origin: string; size: number; note: string; witnessedAt: number | null },
): Promise<void> {
  await db.query('select public_log.add_checkpoint($1, $2, $3, $4)', [
    ...[row.origin, row.size, row.note],
    row.witnessedAt === null ? null : new Date(row.witnessedAt),
  ])
}

/** A state of the log with some of its entries. */
export type LoggedEntries = {
  origin: string
  size: number
  /** A signed note. */
  note: string
  witnessed: boolean
  /** In the order of the subjects. */
  entries: { text: string; index: number }[]
}

/**
 * The first state with the entries of these subjects that a witness has signed, by whose time they were written; or that
 * the log alone has signed, if no witness has.
 *
 * @param subjects kind and name of each entry: `book 1 20261120001`
 * @returns null if one is in no state, or there is no such entry
 */
export async function loggedEntries(
  db: Queryable,
  origin: string,
  subjects: readonly string[],
): Promise<LoggedEntries | null> {
  const [row] = await db.query<{
    origin: string
    size: bigint
    note: string
    witnessed: boolean
    texts: string[]
    places: bigint[]
  }>(
    `with logged as (
       select array_agg(text order by place) as texts, array_agg(position order by place) as places, max(position) as last
       from unnest($2::text[]) with ordinality as asked (subject, place) join public_log.entry using (subject)
       where position is not null
       having count(*) = cardinality($2)
     )
     select texts, places, origin, size, note, witnessed_at is not null as witnessed
     from logged, lateral (
       (select * from public_log.checkpoint where witnessed_at is not null and size > last
        order by size, id limit 1)
       union all
       (select * from public_log.checkpoint where origin = $1 and size > last
        order by size, id limit 1)
     ) checkpoint
     order by witnessed desc, size limit 1`,
    [origin, subjects],
  )
  if (!row) return null
  const { texts, places, size, ...state } = row
  const entries = texts.map((text, at) => ({ text, index: Number(places[at]) }))
  return { ...state, size: Number(size), entries }
}
