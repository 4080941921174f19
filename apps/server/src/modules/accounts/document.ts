/** The number of an identity document that a player may give: kept encrypted, shown masked. */
import type { Queryable } from '#src/db/database.ts'
import type { Resealing } from '#src/reseal.ts'
import type { Sealer } from '#src/sealer.ts'
import {
  documentsOfOtherKeys,
  documentsToReseal,
  resealDocument,
  setDocument,
} from './security-store.ts'

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

/** The whole number, for what has to compare it. */
export function openDocument(
  sealer: Sealer,
  { playerId, sealedNumber, keyId }: { playerId: number; sealedNumber: Buffer; keyId: string },
): string {
  return sealer.open(sealedNumber, purposeOf(playerId), keyId).toString()
}

/** Numbers of an earlier key, sealed with the present one. */
export const resealDocuments: Resealing = {
  missing: documentsOfOtherKeys,
  async batch({ db, sealer }, range) {
    const rows = await documentsToReseal(db, range)
    return rows.map(({ playerId, sealedNumber, keyId }) => ({
      id: playerId,
      async reseal() {
        const number = sealer.open(sealedNumber, purposeOf(playerId), keyId)
        await resealDocument(db, {
          playerId,
          before: sealedNumber,
          sealedNumber: sealer.seal(number, purposeOf(playerId)),
          keyId: sealer.keyId,
        })
      },
    }))
  },
}
