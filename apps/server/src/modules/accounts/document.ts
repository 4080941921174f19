/** The number of an identity document that a player may give: stored encrypted, shown masked. */
import type { Queryable } from '#src/db/database.ts'
import type { Resealing } from '#src/db/reseal.ts'
import type { Sealer } from '#src/secrets/sealer.ts'
import {
  documentsOfOtherKeys,
  documentsToReseal,
  resealDocument,
  setDocument,
} from './security-store.ts'

/** How many characters at the end may be shown for a number of this length. */
function shownTail(length: number): number {
  return length >= 8 ? 4 : 2
}

/** The context to which a document's encryption is bound. */
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

/** The whole number, for code that has to compare it. */
export function openDocument(
  sealer: Sealer,
  { playerId, sealedNumber, keyId }: { playerId: number; sealedNumber: Buffer; keyId: string },
): string {
  return sealer.open(sealedNumber, purposeOf(playerId), keyId).toString()
}

/** Encrypts numbers of an earlier key again with the present one. */
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
