import { widePicture } from '#src/adapters/images/square-picture.ts'
import { callFunction, type Database } from '#src/db/database.ts'
import { PICTURE_PATH, pictureName } from '#src/modules/accounts/picture-name.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'

/** Takes the place of the player in a picture's name. */
const HOUSE = 0

/**
 * Stores a picture for banners and articles, as a wide one of ours.
 *
 * @returns its path, or upload_not_an_image
 */
export async function saveHousePicture(
  db: Database,
  { bytes, session }: { bytes: Buffer; session: string },
): Promise<{ image: string } | Refusal> {
  const picture = await widePicture(bytes)
  if (!picture) return refuse('upload_not_an_image')
  const name = pictureName(picture, HOUSE)
  return asStaff(db, async (tx) => {
    await callFunction<string>(tx, 'console_content.keep_picture', name, picture, session)
    await appendAudit(tx, {
      ...{ session, action: 'picture_uploaded', subject: `picture:${name}` },
      details: { before: null, after: name },
    })
    return { image: PICTURE_PATH + name }
  })
}
