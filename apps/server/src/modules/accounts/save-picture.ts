import { createHash } from 'node:crypto'
import { type FileStore, StorageAway } from '#src/adapters/files/file-store.ts'
import { squarePicture } from '#src/adapters/images/square-picture.ts'
import type { Database } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { countWithin } from './count-store.ts'
import { pictureName } from './picture-name.ts'
import { addPicture, lockPictureFile, lockPictures } from './picture-store.ts'

/** How many pictures a player may upload a day. */
export const PICTURES_A_DAY = 30

const DAY_SECONDS = 86_400

export type PictureDeps = {
  db: Database
  files: FileStore
  log: { error(facts: object, text: string): void }
}

/**
 * Stores a picture that a player sends, as a square one of ours. Its file name does not matter, unless it tries to be
 * a path: then the sender is no browser.
 *
 * @param limited whether a day's pictures are limited
 * @returns its name, or upload_not_an_image, too_many_requests, or unavailable if it cannot be stored now
 */
export async function savePicture(
  { db, files, log }: PictureDeps,
  sent: { playerId: number; fileName: string; bytes: Buffer; limited: boolean },
): Promise<{ name: string } | Refusal> {
  const { playerId, fileName, bytes, limited } = sent
  if (/[/\\\0]|^\.\.?$/.test(fileName)) return refuse('upload_not_an_image')
  // Counted before it is decoded, because decoding is the work to limit.
  const key = createHash('sha256').update(`pictures of ${playerId}`).digest()
  const wait = limited
    ? await countWithin(db, { key, max: PICTURES_A_DAY, seconds: DAY_SECONDS })
    : 0
  if (wait > 0) return refuse('too_many_requests', { retry_after: wait })

  const picture = await squarePicture(bytes)
  if (!picture) return refuse('upload_not_an_image')
  const name = pictureName(picture, playerId)
  try {
    await db.transaction(async (tx) => {
      await lockPictures(tx, playerId)
      await lockPictureFile(tx, name)
      await addPicture(tx, { playerId, name })
      await files.write(name, picture)
    })
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error
    log.error({ why: error.message }, 'a picture could not be kept')
    return refuse('unavailable')
  }
  return { name }
}
