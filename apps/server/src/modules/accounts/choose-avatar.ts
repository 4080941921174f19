import type { FileStore } from '#src/adapters/files/file-store.ts'
import type { Database } from '#src/db/database.ts'
import { isRefusal, malformed, type Refusal } from '#src/refusal.ts'
import { PICTURE_PATH, pictureNameIn } from './picture-name.ts'
import { forgetPictures, lockPictures, setAvatar } from './picture-store.ts'
import { removeUnowned } from './remove-unowned.ts'

/** The avatars that ship with the app. */
const PRESET = /^preset:[1-8]$/

/**
 * Makes a preset, or a picture that the player has uploaded, his avatar. His other pictures go, and
 * their files once that is committed: a file that a process leaves behind which ends in between is
 * swept away later, while a picture without its file would stay broken.
 *
 * @param avatar as the wire has it; `origins` may stand before the path of a picture
 * @returns null, or malformed where it is neither
 */
export async function chooseAvatar(
  { db, files }: { db: Database; files: FileStore },
  choice: { playerId: number; avatar: string; origins: readonly string[] },
): Promise<Refusal | null> {
  const { playerId, avatar, origins } = choice
  const name = pictureNameIn(avatar, origins)
  if (!name && !PRESET.test(avatar)) return malformed({ avatar: 'choice' })
  const forgotten = await db.transaction(async (tx) => {
    await lockPictures(tx, playerId)
    const stored = name ? PICTURE_PATH + name : avatar
    if (!(await setAvatar(tx, { playerId, avatar: stored, name }))) {
      return malformed({ avatar: 'choice' })
    }
    return forgetPictures(tx, { playerId, keptName: name })
  })
  if (isRefusal(forgotten)) return forgotten
  await removeUnowned({ db, files }, forgotten)
  return null
}
