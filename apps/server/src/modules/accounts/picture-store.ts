/** The accounts module's SQL for the pictures that players upload. */
import type { Queryable, Transaction } from '#src/db/database.ts'

/** Serialises the work on one player's pictures until the transaction ends. */
export async function lockPictures(tx: Transaction, playerId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('pictures'), $1)`, [playerId])
}

/** Stores a player's picture, unless he has it already. */
export async function addPicture(
  tx: Transaction,
  { playerId, name, content }: { playerId: number; name: string; content: Buffer },
): Promise<void> {
  await tx.query(
    `insert into accounts.uploaded_picture (player_id, name, content) values ($1, $2, $3)
     on conflict (player_id, name) do nothing`,
    [playerId, name, content],
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

/** Deletes a player's pictures except his avatar and, if it is named, one that he may choose next. */
export async function forgetOtherPictures(
  tx: Transaction,
  { playerId, name }: { playerId: number; name: string | null },
): Promise<void> {
  await tx.query(
    `delete from accounts.uploaded_picture picture using accounts.player
     where player.id = $1 and picture.player_id = player.id and picture.name is distinct from $2
       and player.avatar <> '/uploads/' || picture.name`,
    [playerId, name],
  )
}

/** The content of a picture, of a player or of the house; null if there is none of that name. */
export async function readPicture(db: Queryable, name: string): Promise<Buffer | null> {
  const [row] = await db.query<{ content: Buffer }>(
    `select content from accounts.uploaded_picture where name = $1
     union all select content from accounts.house_picture where name = $1`,
    [name],
  )
  return row?.content ?? null
}
