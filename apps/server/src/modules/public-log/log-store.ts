/** The public log's SQL: its entries in their order, its subtrees and its signed states. */
import { TILE_WIDTH, type Tile } from '@sum28/fairness/log-tiles.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'

const ENTRIES_AT_ONCE = 4_096

/** Gives places to the entries that wait for one. @returns how many the log has then */
export async function placeEntries(db: Queryable): Promise<number> {
  return Number(await callFunction<bigint>(db, 'public_log.place_entries', ENTRIES_AT_ONCE))
}

export function countPlaced(db: Queryable): Promise<number> {
  return db.value('select coalesce(max(position) + 1, 0)::float8 from public_log.entry')
}

/** Stores the witnesses of the present log, by their keys; if it has one, a round that none saw in time is a fault. */
export async function noteWitnesses(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query(
    `update public_log.name set asks_witnesses = $1
     where number = (select max(number) from public_log.name) and asks_witnesses <> $1`,
    [keys.length > 0],
  )
  await db.query(
    'insert into public_log.witness (key) select unnest($1::text[]) on conflict do nothing',
    [keys],
  )
}

/** The keys of all witnesses that were ever asked. */
export function witnessesEver(db: Queryable): Promise<string[]> {
  return db.column('select key from public_log.witness order by asked_at desc, key')
}

/** Writes the change of the log's key, if it is not the last one. @param text of the entry */
export async function noteKeyChange(db: Queryable, text: string): Promise<void> {
  await db.query('select public_log.note_key(variadic $1::text[])', [text.split('\n').slice(1, -1)])
}

/** How many entries the largest signed state has, under any name of the log: it goes on under the next one. */
export function signedSize(db: Queryable): Promise<number> {
  return db.value('select coalesce(max(size), 0)::float8 from public_log.checkpoint')
}

/** The entries about changes of the log's key that are in a signed state, oldest first. */
export async function keyChanges(db: Queryable): Promise<string[]> {
  return db.column(
    `select text from public_log.entry where subject like 'key %' and position < $1 order by id`,
    [await signedSize(db)],
  )
}

/** An entry that has its place; null if there is none yet. */
export async function placedEntry(
  db: Queryable,
  subject: string,
): Promise<{ text: string; index: number } | null> {
  const entry = await db.first<{ text: string; index: number }>(
    `select text, position::float8 as index from public_log.entry
     where subject = $1 and position is not null`,
    [subject],
  )
  return entry ?? null
}

/** The number of the log's name that is in use. */
export function logNumber(db: Queryable): Promise<number> {
  return db.value('select max(number) from public_log.name')
}

/** The texts of a bundle. */
export function entriesOf(db: Queryable, { index, width }: Tile): Promise<string[]> {
  return db.column(
    `select text from public_log.entry where position >= $1 and position < $2 order by position`,
    rangeOf(index, width),
  )
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
  const hashes = await db.column<Buffer>(
    level === 0
      ? `select sha256('\\x00'::bytea || convert_to(text, 'UTF8')) from public_log.entry
         where position >= $1 and position < $2 order by position`
      : `select hash from public_log.node
         where position >= $1 and position < $2 and level = $3 order by position`,
    level === 0 ? range : [...range, level],
  )
  if (hashes.length !== width) {
    throw new LostTile(
      `tile ${index} at level ${level} of the public log has ${hashes.length} of ${width} hashes`,
    )
  }
  return hashes
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
  /** Whether each witness that was asked has signed it. */
  byAll: boolean
  madeAt: number
}

/** The largest state that was signed, the last one of that size; null for a log that has none. */
export async function latestCheckpoint(
  db: Queryable,
  origin: string,
): Promise<CheckpointRow | null> {
  const latest = await db.first<CheckpointRow>(
    `select size::float8 as size, note, by_all as "byAll", made_at as "madeAt" from public_log.checkpoint
     where origin = $1 order by checkpoint.size desc, id desc limit 1`,
    [origin],
  )
  return latest ?? null
}

/**
 * Stores a signed state, and marks the rounds whose books a witness has seen by it, and in time.
 * `witnessedAt`: the earliest time of a witness, in milliseconds since 1970; null if none has signed.
 */
export async function addCheckpoint(
  db: Queryable,
  row: Pick<CheckpointRow, 'size' | 'note' | 'byAll'> & {
    origin: string
    witnessedAt: number | null
  },
): Promise<void> {
  await db.query('select public_log.add_checkpoint($1, $2, $3, $4, $5)', [
    ...[row.origin, row.size, row.note],
    row.witnessedAt === null ? null : new Date(row.witnessedAt),
    row.byAll,
  ])
}

/** A state of the log with some of its entries. */
export type LoggedEntries = {
  origin: string
  size: number
  /** A signed note. */
  note: string
  witnessed: boolean
  /** Whether each witness that was asked has signed it: then it is shown for ever. */
  byAll: boolean
  /** In the order of the subjects. */
  entries: { text: string; index: number }[]
}

/**
 * The first state with the entries of these subjects that each witness has signed, by whose times they were written; or
 * that any has signed, if not all have, or not in time; or that the log alone has signed.
 *
 * @param subjects kind and name of each entry: `book 1 20261120001`; the last one is the latest
 * @returns null if one is in no state, or there is no such entry
 */
export async function loggedEntries(
  db: Queryable,
  origin: string,
  subjects: readonly string[],
): Promise<LoggedEntries | null> {
  const [kind, gameId, issue = null] = subjects.at(-1)?.split(' ') ?? []
  const row = await db.first<
    Omit<LoggedEntries, 'entries'> & { texts: string[]; places: bigint[] }
  >(
    `with logged as (
       select array_agg(text order by place) as texts, array_agg(position order by place) as places, max(position) as last
       from unnest($2::text[]) with ordinality as asked (subject, place) join public_log.entry using (subject)
       where position is not null
       having count(*) = cardinality($2)
     ), timed as (
       -- A book, and a void by two persons, had to be signed before the value existed. No signature that is shown of a
       -- book may be earlier than the first one, which the round states; one that was not in time stays alone.
       select rounds.value_at(round) as value_at, case when $3 = 'book' then coalesce(witnessed_at, 'infinity') end as first_at
       from rounds.round
       where game_id = $4::integer and issue = $5::bigint
         and ($3 = 'book' or ($3 = 'void' and void_reason = 'two_persons'))
     )
     select texts, places, origin, size::float8 as size, note, witnessed_at is not null as witnessed, by_all as "byAll"
     from logged left join timed on true, lateral (
       (select *, 1 as rank from public_log.checkpoint where by_all and size > last order by size, id limit 1)
       union all
       (select *, 2 from public_log.checkpoint where witnessed_at is not null and size > last
        order by size, id limit 1)
       union all
       (select *, 3 from public_log.checkpoint where origin = $1 and size > last order by size, id limit 1)
     ) checkpoint
     where rank > 1 or value_at is null
       or (witnessed_at < value_at and witnessed_at >= coalesce(first_at, witnessed_at))
     order by rank limit 1`,
    [origin, subjects, kind, gameId, issue],
  )
  if (!row) return null
  const { texts, places, ...state } = row
  const entries = texts.map((text, at) => ({ text, index: Number(places[at]) }))
  return { ...state, entries }
}
