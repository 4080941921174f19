import type { Database } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { addPart, clearParts, DATA_KEPT_DAYS, finishFile, playerOfFile } from './own-data-store.ts'
import { ownDataZip } from './write-own-data.ts'

/** The approximate size of each stored piece, in bytes. */
const PART_BYTES = 262_144

/**
 * Makes the file that a player requested, and notifies him that it is ready. A second try starts from the beginning;
 * a file that is ready, or deleted, stays as it is.
 */
export async function makeOwnData(
  { db }: { db: Database },
  fileId: bigint,
  signal?: AbortSignal,
): Promise<void> {
  const playerId = await playerOfFile(db, fileId)
  if (playerId === undefined) return
  await clearParts(db, fileId)
  let position = 0
  for await (const content of inParts(ownDataZip(db, playerId))) {
    signal?.throwIfAborted()
    await addPart(db, { fileId, position, content })
    position += 1
  }
  await db.transaction(async (tx) => {
    if (!(await finishFile(tx, fileId))) return
    const facts = { days: String(DATA_KEPT_DAYS) }
    await notify(tx, { playerId, kind: 'own_data_ready', facts })
  })
}

async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    bytes += piece.byteLength
    if (bytes >= PART_BYTES) {
      yield Buffer.concat(held)
      held = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(held)
}
