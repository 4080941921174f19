/** The TOTP secrets of staff, as they are stored. */
import type { SecretColumn } from '#src/db/reencryption.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

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

export const TOTP_SECRETS: SecretColumn = {
  name: 'totp_secret',
  table: 'staff.member',
  id: 'id',
  owner: 'name',
  secret: 'encrypted_totp_secret',
  keyId: 'totp_key_id',
  purposeOf: ({ owner }) => purposeOf(owner),
}
