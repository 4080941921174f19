import { createHash } from 'node:crypto'
import { squarePicture } from '#src/adapters/images/square-picture.ts'
import type { Database } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { countWithin } from './count-store.ts'
import { pictureName } from './picture-name.ts'
import { addPicture, forgetOtherPictures, lockPictures } from './picture-store.ts'

/** How many pictures a player may upload a day. */
export const PICTURES_A_DAY = 30

const DAY_SECONDS = 86_400

/**
 * Stores a picture that a player sends, as a square one of ours. Of those that he sent before, only his avatar stays.
 * The file's name does not matter, unless it tries to be a path: then the sender is no browser.
 *
 * @param limited whether a day's pictures are limited
 * @returns its name, or upload_not_an_image or too_many_requests
 */
export async function savePicture(
  db: Database,
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
  await db.transaction(async (tx) => {
    await lockPictures(tx, playerId)
    await addPicture(tx, { playerId, name, content: picture })
    await forgetOtherPictures(tx, { playerId, name })
  })
  return { name }
}
