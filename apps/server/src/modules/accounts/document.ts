/** The number of an identity document that a player may give: stored encrypted, shown masked. */
import type { Queryable } from '#src/db/database.ts'
import type { Reencryption } from '#src/db/reencryption.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import {
  documentsOfOtherKeys,
  documentsToReencrypt,
  reencryptDocument,
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
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  { playerId, number }: { playerId: number; number: string },
): Promise<void> {
  await setDocument(db, {
    playerId,
    encryptedNumber: cipher.encrypt(Buffer.from(number), purposeOf(playerId)),
    keyId: cipher.keyId,
    shownNumber: `••••${number.slice(-shownTail(number.length))}`,
  })
}

/** The whole number, for code that has to compare it. */
export function decryptDocument(
  cipher: SecretCipher,
  {
    playerId,
    encryptedNumber,
    keyId,
  }: { playerId: number; encryptedNumber: Buffer; keyId: string },
): string {
  return cipher.decrypt(encryptedNumber, purposeOf(playerId), keyId).toString()
}

/** Encrypts numbers of an earlier key again with the present one. */
export const reencryptDocuments: Reencryption = {
  missing: documentsOfOtherKeys,
  async batch({ db, cipher }, range) {
    const rows = await documentsToReencrypt(db, range)
    return rows.map(({ playerId, encryptedNumber, keyId }) => ({
      id: playerId,
      async reencrypt() {
        const number = cipher.decrypt(encryptedNumber, purposeOf(playerId), keyId)
        await reencryptDocument(db, {
          playerId,
          before: encryptedNumber,
          encryptedNumber: cipher.encrypt(number, purposeOf(playerId)),
          keyId: cipher.keyId,
        })
      },
    }))
  },
}
