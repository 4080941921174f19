/** The SQL of the files with a player's data: requested, made in the background, kept for some days. */
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

/** How long a file is kept after its request: enough to read the mail, but no archive. */
export const DATA_KEPT_DAYS = 7

export const MAKE_OWN_DATA_JOB = 'make-own-data'

export type DataFile = {
  id: bigint
  requestedAt: number
  /** Null: it is being made. */
  readyAt: number | null
  bytes: bigint | null
  /** Until when it can be downloaded. */
  until: number
}

/** A player's file, if he requested it recently. */
export async function dataFileOf(db: Queryable, playerId: number): Promise<DataFile | undefined> {
  const [row] = await db.query<DataFile>(
    `select id, requested_at as "requestedAt", ready_at as "readyAt", bytes,
       requested_at + make_interval(days => $2) as until
     from own_account.data_file
     where player_id = $1 and requested_at > app.now() - make_interval(days => $2)`,
    [playerId, DATA_KEPT_DAYS],
  )
  return row
}

/** Requests a file, and queues its job; false if one was requested recently. */
export async function addDataFile(tx: Transaction, playerId: number): Promise<boolean> {
  await tx.query(
    `delete from own_account.data_file
     where player_id = $1 and requested_at <= app.now() - make_interval(days => $2)`,
    [playerId, DATA_KEPT_DAYS],
  )
  const [added] = await tx.query<{ id: bigint }>(
    `insert into own_account.data_file (player_id) select id from accounts.player
     where id = $1 and state = 'active' on conflict do nothing returning id`,
    [playerId],
  )
  if (!added) return false
  // One at a time, so that files of many players do not use all of the queue.
  await tx.query(
    `select graphile_worker.add_job($1, json_build_object('fileId', $2::text), queue_name := 'own-data',
       max_attempts := 12)`,
    [MAKE_OWN_DATA_JOB, String(added.id)],
  )
  return true
}

/** The player whose file is to be made; undefined if it is ready, or deleted. */
export async function playerOfFile(db: Queryable, fileId: bigint): Promise<number | undefined> {
  const [row] = await db.query<{ playerId: number }>(
    `select player_id as "playerId" from own_account.data_file where id = $1 and ready_at is null`,
    [fileId],
  )
  return row?.playerId
}

/** Deletes the pieces of an earlier try. */
export async function clearParts(db: Queryable, fileId: bigint): Promise<void> {
  await db.query('delete from own_account.data_part where file_id = $1', [fileId])
}

export async function addPart(
  db: Queryable,
  { fileId, position, content }: { fileId: bigint; position: number; content: Uint8Array },
): Promise<void> {
  await db.query(
    'insert into own_account.data_part (file_id, position, content) values ($1, $2, $3)',
    [fileId, position, Buffer.from(content.buffer, content.byteOffset, content.byteLength)],
  )
}

/** Deletes expired files, and returns how many. */
export async function dropOldFiles(db: Queryable): Promise<number> {
  const rows = await db.query(
    `delete from own_account.data_file
     where requested_at < (select app.now() - make_interval(days => $1)) returning 1`,
    [DATA_KEPT_DAYS],
  )
  return rows.length
}

/** Marks a file as ready; false if it was deleted meanwhile. */
export async function finishFile(tx: Transaction, fileId: bigint): Promise<boolean> {
  const rows = await tx.query(
    `update own_account.data_file set ready_at = app.now(),
       bytes = (select sum(octet_length(content)) from own_account.data_part where file_id = $1)
     where id = $1 and ready_at is null returning id`,
    [fileId],
  )
  return rows.length === 1
}

/** One piece of a file; undefined after the last. */
export async function readPart(
  db: Queryable,
  { fileId, position }: { fileId: bigint; position: number },
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ content: Buffer }>(
    'select content from own_account.data_part where file_id = $1 and position = $2',
    [fileId, position],
  )
  return row?.content
}

/** How many pieces a file has. */
export async function countParts(db: Queryable, fileId: bigint): Promise<number> {
  const rows = await db.query<{ parts: number }>(
    'select count(*)::integer as parts from own_account.data_part where file_id = $1',
    [fileId],
  )
  return only(rows).parts
}
