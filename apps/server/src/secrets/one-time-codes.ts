/** One-time codes by RFC 6238: HMAC-SHA-1, six digits, a step of 30 seconds from 1970 on; and recovery codes. */
import { randomBytes } from 'node:crypto'
import { asciiDigits } from '@sum28/domain/typed-digits.ts'
import { Secret, TOTP } from 'otpauth'

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
 * @param window how many steps early or late it may be
 * @returns null if it belongs to no step that is allowed at that instant
 */
export function timeStepOf(
  code: string,
  { secret, at, window = WINDOW }: { secret: Uint8Array; at: number; window?: number },
): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: at, window })
  return delta === null ? null : Math.floor(at / TIME_STEP_MS) + delta
}

/** How many recovery codes a person gets. */
const RECOVERY_CODES = 10

/** Crockford's letters and digits: no two look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 16 letters of five bits each: 80 bits, too many to search, so that a plain hash is enough. */
const LETTERS = 16

/** Makes a person's recovery codes, in the form that is shown: `k3f9-…` in four groups of four. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replace(/.{4}(?=.)/g, '$&-'),
  )
}

/**
 * A recovery code as typed or copied from paper, without case, blanks and dashes: a letter that no code has is the digit
 * that it looks like, as Crockford reads them.
 */
export function bareRecoveryCode(typed: string): string {
  return asciiDigits(typed)
    .toLowerCase()
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
    .replaceAll(/[^0-9a-z]/g, '')
}
