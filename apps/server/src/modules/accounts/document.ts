/** The number of an identity document that a player may give: kept encrypted, shown masked. */
import type { Queryable } from '#src/db/database.ts'
import type { Sealer } from '#src/sealer.ts'
import { documentsNotSealedWith, resealDocument, setDocument } from './security-store.ts'

/** How many characters at the end may be shown of a number of this length. */
function shownTail(length: number): number {
  return length >= 8 ? 4 : 2
}

/** What a document's seal is bound to. */
function purposeOf(playerId: number): string {
  return `document ${playerId}`
}

export async function saveDocument(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  { playerId, number }: { playerId: number; number: string },
): Promise<void> {
  await setDocument(db, {
    playerId,
    sealedNumber: sealer.seal(Buffer.from(number), purposeOf(playerId)),
    keyId: sealer.keyId,
    shownNumber: `••••${number.slice(-shownTail(number.length))}`,
  })
}

/** Seals numbers of an earlier key with the present one, some at a time. Gives how many. */
export async function resealDocuments(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  limit: number,
): Promise<number> {
  const rows = await documentsNotSealedWith(db, sealer.keyId, limit)
  for (const { playerId, sealedNumber, keyId } of rows) {
    const number = sealer.open(sealedNumber, purposeOf(playerId), keyId)
    await resealDocument(db, {
      playerId,
      before: sealedNumber,
      sealedNumber: sealer.seal(number, purposeOf(playerId)),
      keyId: sealer.keyId,
    })
  }
  return rows.length
}
