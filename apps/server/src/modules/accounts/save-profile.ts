import type { Database, Transaction } from '#src/db/database.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { saveDocument } from './document.ts'
import type { NoteMark } from './note-mark.ts'
import { forgetOtherPictures, lockPictures, PICTURE_PATH, pictureNameIn } from './pictures.ts'

export type ProfileDeps = { db: Database; cipher: SecretCipher; noteMark: NoteMark }

/**
 * Saves a player's avatar, the number of his document, or both: both or neither.
 *
 * @param profile `avatar` as on the wire; one of `origins` may precede the path of a picture; `network`: the
 *   caller's, as `networkOf` names it
 * @returns null, or malformed (an avatar that he may not choose) or too_many_numbers
 */
export async function saveProfile(
  { db, cipher, noteMark }: ProfileDeps,
  profile: {
    playerId: number
    avatar: string | undefined
    idcard: string | undefined
    origins: readonly string[]
    network: string
  },
): Promise<Refusal | null> {
  const { playerId, avatar, idcard, origins, network } = profile
  return db.transaction(async (tx) => {
    // The number comes first: storing it locks the balance, which precedes the player in the lock order.
    if (idcard !== undefined) {
      await saveDocument({ db: tx, cipher }, { playerId, number: idcard })
      const refused = await noteMark(tx, { playerId, kind: 'document', value: idcard, network })
      if (refused) return refused
    }
    return avatar === undefined ? null : chooseAvatar(tx, { playerId, avatar, origins })
  })
}

/** The avatars that ship with the app. */
const PRESET = /^preset:[1-8]$/

/**
 * Makes a preset, or a picture that the player has uploaded, his avatar. His other pictures are deleted.
 *
 * @param avatar as on the wire; one of `origins` may precede the path of a picture
 * @returns null, or malformed if it is neither
 */
async function chooseAvatar(
  tx: Transaction,
  { playerId, avatar, origins }: { playerId: number; avatar: string; origins: readonly string[] },
): Promise<Refusal | null> {
  const name = pictureNameIn(avatar, origins)
  if (!name && !PRESET.test(avatar)) return malformed({ avatar: 'choice' })
  await lockPictures(tx, playerId)
  const stored = name ? PICTURE_PATH + name : avatar
  // A picture must be his own upload.
  const isChosen = await tx.exists(
    `update accounts.player set avatar = $2 where id = $1
       and ($3::text is null
         or exists (select from accounts.uploaded_picture where player_id = $1 and name = $3))
     returning id`,
    [playerId, stored, name],
  )
  if (!isChosen) {
    return malformed({ avatar: 'choice' })
  }
  await forgetOtherPictures(tx, { playerId, name: null })
  return null
}
