import type { FileStore } from '#src/adapters/files/file-store.ts'
import type { Database } from '#src/db/database.ts'
import {
  forgetUnusedPictures,
  lockPictures,
  picturesOwned,
  playersWithUnused,
} from './picture-store.ts'
import { removeUnowned } from './remove-unowned.ts'

/** How long a picture may wait to be chosen as an avatar, and a file to belong to a player. */
const UNUSED_HOURS = 24

/**
 * Removes pictures that were uploaded and never chosen, and files left behind by a process that died.
 */
export async function sweepPictures({
  db,
  files,
}: {
  db: Database
  files: FileStore
}): Promise<void> {
  for (const playerId of await playersWithUnused(db, UNUSED_HOURS)) {
    await db.transaction(async (tx) => {
      await lockPictures(tx, playerId)
      await forgetUnusedPictures(tx, { playerId, hours: UNUSED_HOURS })
    })
  }
  const old = await files.olderThan(UNUSED_HOURS * 3_600_000)
  const owned = await picturesOwned(db, old)
  await removeUnowned(
    { db, files },
    old.filter((name) => !owned.has(name)),
  )
}
