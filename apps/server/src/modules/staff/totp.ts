/** The TOTP secrets of staff, as they are stored. */
import type { Reencryption } from '#src/db/reencryption.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { membersOfOtherKeys, membersToReencrypt, reencryptMember } from './staff-store.ts'

export type EncryptedTotpSecret = { encryptedTotpSecret: Buffer; totpKeyId: string }

/** Binds a secret to the member's name: it cannot be decrypted in another row. */
function purposeOf(name: string): string {
  return `staff totp ${name}`
}

export function encryptTotpSecret(
  cipher: SecretCipher,
  { name, secret }: { name: string; secret: Uint8Array },
): EncryptedTotpSecret {
  return {
    encryptedTotpSecret: cipher.encrypt(secret, purposeOf(name)),
    totpKeyId: cipher.keyId,
  }
}

/** @throws if the key that encrypted it is not known any more */
export function decryptTotpSecret(
  cipher: SecretCipher,
  { name, encryptedTotpSecret, totpKeyId }: EncryptedTotpSecret & { name: string },
): Buffer {
  return cipher.decrypt(encryptedTotpSecret, purposeOf(name), totpKeyId)
}

/** Encrypts secrets of an earlier key again with the present one. */
export const reencryptTotpSecrets: Reencryption = {
  missing: membersOfOtherKeys,
  async batch({ db, cipher }, range) {
    const members = await membersToReencrypt(db, range)
    return members.map((member) => ({
      id: member.id,
      async reencrypt() {
        const secret = decryptTotpSecret(cipher, member)
        const encrypted = encryptTotpSecret(cipher, { name: member.name, secret })
        await reencryptMember(db, {
          name: member.name,
          before: member.encryptedTotpSecret,
          ...encrypted,
        })
      },
    }))
  },
}
