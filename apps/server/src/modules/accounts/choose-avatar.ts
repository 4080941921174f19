import type { Transaction } from '#src/db/database.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import { PICTURE_PATH, pictureNameIn } from './picture-name.ts'
import { forgetOtherPictures, lockPictures, setAvatar } from './picture-store.ts'

/** The avatars that ship with the app. */
const PRESET = /^preset:[1-8]$/

/**
 * Makes a preset, or a picture that the player has uploaded, his avatar. His other pictures are deleted.
 *
 * @param avatar as on the wire; one of `origins` may precede the path of a picture
 * @returns null, or malformed if it is neither
 */
export async function chooseAvatar(
  tx: Transaction,
  { playerId, avatar, origins }: { playerId: number; avatar: string; origins: readonly string[] },
): Promise<Refusal | null> {
  const name = pictureNameIn(avatar, origins)
  if (!name && !PRESET.test(avatar)) return malformed({ avatar: 'choice' })
  await lockPictures(tx, playerId)
  const stored = name ? PICTURE_PATH + name : avatar
  if (!(await setAvatar(tx, { playerId, avatar: stored, name }))) {
    return malformed({ avatar: 'choice' })
  }
  await forgetOtherPictures(tx, { playerId, name: null })
  return null
}
