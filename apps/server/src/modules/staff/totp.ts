/** One-time codes by RFC 6238: HMAC-SHA-1, six digits, a step of 30 seconds from 1970 on. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Resealing } from '#src/db/reseal.ts'
import type { Sealer } from '#src/secrets/sealer.ts'
import { membersOfOtherKeys, membersToReseal, resealMember } from './staff-store.ts'

export const TOTP_STEP_MS = 30_000

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
    period: TOTP_STEP_MS / 1000,
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
export function totpStepOf(
  code: string,
  { secret, at }: { secret: Uint8Array; at: number },
): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: at, window: WINDOW })
  return delta === null ? null : Math.floor(at / TOTP_STEP_MS) + delta
}

export type SealedTotpSecret = { sealedTotpSecret: Buffer; totpKeyId: string }

/** Binds a secret to the member's name: it cannot be decrypted in another row. */
function purposeOf(name: string): string {
  return `staff totp ${name}`
}

export function sealTotpSecret(
  sealer: Sealer,
  { name, secret }: { name: string; secret: Uint8Array },
): SealedTotpSecret {
  return {
    sealedTotpSecret: sealer.seal(secret, purposeOf(name)),
    totpKeyId: sealer.keyId,
  }
}

/** @throws if the key that encrypted it is not known any more */
export function openTotpSecret(
  sealer: Sealer,
  { name, sealedTotpSecret, totpKeyId }: SealedTotpSecret & { name: string },
): Buffer {
  return sealer.open(sealedTotpSecret, purposeOf(name), totpKeyId)
}

/** Encrypts secrets of an earlier key again with the present one. */
export const resealTotpSecrets: Resealing = {
  missing: membersOfOtherKeys,
  async batch({ db, sealer }, range) {
    const members = await membersToReseal(db, range)
    return members.map((member) => ({
      id: member.id,
      async reseal() {
        const secret = openTotpSecret(sealer, member)
        const sealed = sealTotpSecret(sealer, { name: member.name, secret })
        await resealMember(db, { name: member.name, before: member.sealedTotpSecret, ...sealed })
      },
    }))
  },
}
