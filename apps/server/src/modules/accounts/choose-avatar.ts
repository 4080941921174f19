import type { Transaction } from '#src/db/database.ts'
import { malformed, type Refusal } from '#src/refusal.ts'
import { PICTURE_PATH, pictureNameIn } from './picture-name.ts'
import { forgetPictures, lockPictures, setAvatar } from './picture-store.ts'

/** The avatars that ship with the app. */
const PRESET = /^preset:[1-8]$/

/**
 * Makes a preset, or a picture that the player has uploaded, his avatar. His other pictures go.
 *
 * @param avatar as the wire has it; `origins` may stand before the path of a picture
 * @returns the names of the pictures that went, whose files go once this is committed; malformed where it is
 * neither
 */
export async function chooseAvatar(
  tx: Transaction,
  { playerId, avatar, origins }: { playerId: number; avatar: string; origins: readonly string[] },
): Promise<string[] | Refusal> {
  const name = pictureNameIn(avatar, origins)
  if (!name && !PRESET.test(avatar)) return malformed({ avatar: 'choice' })
  await lockPictures(tx, playerId)
  const stored = name ? PICTURE_PATH + name : avatar
  if (!(await setAvatar(tx, { playerId, avatar: stored, name }))) {
    return malformed({ avatar: 'choice' })
  }
  return forgetPictures(tx, { playerId, keptName: name })
}
