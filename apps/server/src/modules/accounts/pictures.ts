import { createHash } from 'node:crypto'
import { squarePicture } from '#src/adapters/images/square-picture.ts'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { countOfDay } from './count-store.ts'

export const PICTURES_A_DAY = 30

/**
 * Stores a picture that a player sends, as a square one of ours. Of those that he sent before, only his avatar stays.
 * The file's name does not matter, unless it tries to be a path: then the sender is no browser.
 *
 * @param limited whether a day's pictures are limited
 * @returns its name, or upload_not_an_image, too_many_requests or session_replaced
 */
export async function savePicture(
  db: Database,
  sent: { playerId: number; fileName: string; bytes: Buffer; limited: boolean },
): Promise<{ name: string } | Refusal> {
  const { playerId, fileName, bytes, limited } = sent
  if (/[/\\\0]|^\.\.?$/.test(fileName)) return refuse('upload_not_an_image')
  // Counted before it is decoded, because decoding is the work to limit.
  const counted = { playerId, event: 'pictures', max: PICTURES_A_DAY }
  const tooMany = limited ? await countOfDay(db, counted) : null
  if (tooMany) return tooMany

  const picture = await squarePicture(bytes)
  if (!picture) return refuse('upload_not_an_image')
  const name = pictureName(picture, playerId)
  return db.transaction(async (tx) => {
    await lockPictures(tx, playerId)
    // Its player may have closed his account while it was decoded, and then nothing would delete it for years.
    const active = `select from accounts.player where id = $1 and state = 'active' for share`
    if (!(await tx.exists(active, [playerId]))) return refuse('session_replaced')
    await tx.query(
      `insert into accounts.uploaded_picture (player_id, name, content) values ($1, $2, $3)
       on conflict (player_id, name) do nothing`,
      [playerId, name, picture],
    )
    await forgetOtherPictures(tx, { playerId, name })
    return { name }
  })
}

/** Serialises the work on one player's pictures until the transaction ends. */
export async function lockPictures(tx: Transaction, playerId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('pictures'), $1)`, [playerId])
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
  const [content = null] = await db.column<Buffer>(
    `select content from accounts.uploaded_picture where name = $1
     union all select content from accounts.house_picture where name = $1`,
    [name],
  )
  return content
}

export const PICTURE_PATH = '/uploads/'

/** A picture's name: derived from its content and its owner, so that two players never share a picture. */
export function pictureName(picture: Buffer, playerId: number): string {
  const hash = createHash('sha256').update(`${playerId} `).update(picture).digest('hex')
  return `${hash.slice(0, 32)}.webp`
}

/**
 * The name in the url of a picture of ours, or null.
 *
 * @param origins the product's origins, which may precede the path
 */
export function pictureNameIn(url: string, origins: readonly string[]): string | null {
  const origin = origins.find((each) => url.startsWith(`${each}/`)) ?? ''
  const match = /^\/uploads\/([0-9a-f]{32}\.webp)$/.exec(url.slice(origin.length))
  return match?.[1] ?? null
}
