import type { FileStore } from '#src/adapters/files/file-store.ts'
import type { Database } from '#src/db/database.ts'
import { lockPictureFile, picturesOwned } from './picture-store.ts'

/**
 * Removes the files of these pictures, except those that belong to a player. Each is done under the lock that an
 * upload of the same picture takes, so that no file is removed which has just been written again.
 */
export async function removeUnowned(
  { db, files }: { db: Database; files: FileStore },
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await db.transaction(async (tx) => {
      await lockPictureFile(tx, name)
      const owned = await picturesOwned(tx, [name])
      if (!owned.has(name)) await files.remove(name)
    })
  }
}
