/** The player's picture: an upload, or a preset of the app. */
import { saveProfile, upload } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { keepProfile } from '#src/data/session-watch.ts'

/** Uploads a picture and makes it the player's. Rejects where either was refused. */
export async function saveOwnAvatar(picture: Blob): Promise<void> {
  const { url } = await call(upload, {}, { file: picture })
  await saveAvatar(url)
}

/** Makes a picture the player's: `preset:1` … `preset:8`, or the address of an upload. */
export async function saveAvatar(avatar: string): Promise<void> {
  const profile = await call(saveProfile, { avatar })
  keepProfile(profile)
  queryClient.setQueryData(profileQuery.queryKey, profile)
}
