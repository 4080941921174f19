/** Recovery codes: each signs a member in once when his authenticator is lost. Only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto'

/** How many a member gets. */
const RECOVERY_CODES = 10

/** Crockford's letters and digits: none looks like another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 16 letters of five bits each: 80 bits, so that a plain hash cannot be searched. */
const LETTERS = 16

/** Makes a member's codes, as they are shown: `k3f9-…` in four groups of four. */
export function newRecoveryCodes(): { shown: string[]; hashes: Buffer[] } {
  const shown = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replace(/.{4}(?=.)/g, '$&-'),
  )
  return { shown, hashes: shown.map(hashRecoveryCode) }
}

/** The hash of a code as typed: case, blanks and dashes make no difference. */
export function hashRecoveryCode(typed: string): Buffer {
  const letters = typed.toLowerCase().replace(/[^0-9a-z]/g, '')
  return createHash('sha256').update(`staff recovery ${letters}`).digest()
}
