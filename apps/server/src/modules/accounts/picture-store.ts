/** The accounts module's SQL for the pictures that players upload. */
import type { Queryable, Transaction } from '#src/db/database.ts'

/** A picture and its player: it did not become his avatar within so many hours. */
const UNUSED = `avatar <> '/uploads/' || name
  and picture.created_at < app.now() - make_interval(hours => $1)`

/** Serialises the work on one player's pictures until the transaction ends. */
export async function lockPictures(tx: Transaction, playerId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('pictures'), $1)`, [playerId])
}

/** Serialises the work on one picture's file until the transaction ends. */
export async function lockPictureFile(tx: Transaction, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('picture file'), hashtext($1))`, [name])
}

/** Records a player's picture; one that exists already counts as new again. */
export async function addPicture(
  tx: Transaction,
  { playerId, name }: { playerId: number; name: string },
): Promise<void> {
  await tx.query(
    `insert into accounts.uploaded_picture (player_id, name) values ($1, $2)
     on conflict (player_id, name) do update set created_at = app.now()`,
    [playerId, name],
  )
}

/**
 * Sets a player's avatar: a preset, or a picture that he uploaded himself.
 * @returns false if he has no such picture
 */
export async function setAvatar(
  tx: Transaction,
  { playerId, avatar, name }: { playerId: number; avatar: string; name: string | null },
): Promise<boolean> {
  const rows = await tx.query(
    `update accounts.player set avatar = $2 where id = $1
       and ($3::text is null
         or exists (select from accounts.uploaded_picture where player_id = $1 and name = $3))
     returning id`,
    [playerId, avatar, name],
  )
  return rows.length === 1
}

/** Deletes a player's pictures except the one in use, and returns their names. */
export async function forgetPictures(
  tx: Transaction,
  { playerId, keptName }: { playerId: number; keptName: string | null },
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `delete from accounts.uploaded_picture where player_id = $1 and name is distinct from $2
     returning name`,
    [playerId, keptName],
  )
  return rows.map(({ name }) => name)
}

/** Players with pictures that were uploaded long ago and are not their avatar. */
export async function playersWithUnused(db: Queryable, hours: number): Promise<number[]> {
  const rows = await db.query<{ playerId: number }>(
    `select distinct player_id as "playerId" from accounts.uploaded_picture picture
       join accounts.player on player.id = picture.player_id
     where ${UNUSED}`,
    [hours],
  )
  return rows.map(({ playerId }) => playerId)
}

/** Deletes those of one player; under his lock, so that none is being chosen meanwhile. */
export async function forgetUnusedPictures(
  tx: Transaction,
  { playerId, hours }: { playerId: number; hours: number },
): Promise<void> {
  await tx.query(
    `delete from accounts.uploaded_picture picture using accounts.player
     where player.id = picture.player_id and ${UNUSED} and player.id = $2`,
    [hours, playerId],
  )
}

/** Which of these names belong to a player. */
export async function picturesOwned(db: Queryable, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    `select name from accounts.uploaded_picture where name = any ($1::text[])
     union select name from accounts.house_picture where name = any ($1::text[])`,
    [names],
  )
  return new Set(rows.map(({ name }) => name))
}
