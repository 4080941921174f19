/** One-time codes by RFC 6238: HMAC-SHA-1, six digits, a step of 30 seconds from 1970 on. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Reencryption } from '#src/db/reencryption.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { membersOfOtherKeys, membersToReencrypt, reencryptMember } from './staff-store.ts'

export const TIME_STEP_MS = 30_000

/** How many steps early or late a code may be. */
const WINDOW = 1

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

function totpOf(secret: Uint8Array, name = ''): TOTP {
  return new TOTP({
    issuer: 'Sum28',
    label: name,
    algorithm: 'SHA1',
    digits: 6,
    period: TIME_STEP_MS / 1000,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  })
}

/** The secret as people type it into an authenticator app, and the content of a QR code. */
export function totpSetup(
  secret: Uint8Array,
  name: string,
): { totpSecret: string; otpauth: string } {
  const totp = totpOf(secret, name)
  return { totpSecret: totp.secret.base32, otpauth: totp.toString() }
}

/**
 * The code of an instant.
 *
 * @param base32 the secret as people type it
 * @param at milliseconds since 1970
 */
export function totpCodeOf(base32: string, at: number): string {
  return totpOf(new Uint8Array(Secret.fromBase32(base32).buffer)).generate({ timestamp: at })
}

/**
 * Finds the time step that a code belongs to.
 *
 * @param at milliseconds since 1970
 * @returns null if it belongs to no step that is allowed at that instant
 */
export function timeStepOf(
  code: string,
  { secret, at }: { secret: Uint8Array; at: number },
): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: at, window: WINDOW })
  return delta === null ? null : Math.floor(at / TIME_STEP_MS) + delta
}

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
