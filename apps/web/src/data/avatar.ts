/** The player's picture: an upload, or a preset of the app. */
import { upload } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'
import { changeProfile } from '#src/data/profile.ts'

/** Uploads a picture and makes it the player's. Rejects where either was refused. */
export async function saveOwnAvatar(picture: Blob): Promise<void> {
  const { url } = await call(upload, {}, { file: picture })
  await changeProfile({ avatar: url })
}
