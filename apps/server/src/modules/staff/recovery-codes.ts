/** Recovery codes: each signs a member in once if his authenticator is lost. Only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto'
import { callFunction, type Queryable } from '#src/db/database.ts'

/** How many a member gets. */
const RECOVERY_CODES = 10

/** Crockford's letters and digits: no two look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 16 letters of five bits each: 80 bits, too many to search, so that a plain hash is enough. */
const LETTERS = 16

/** Makes a member's codes, in the form that is shown: `k3f9-…` in four groups of four. */
export function newRecoveryCodes(): { shown: string[]; hashes: Buffer[] } {
  const shown = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replace(/.{4}(?=.)/g, '$&-'),
  )
  return { shown, hashes: shown.map(hashRecoveryCode) }
}

/** The hash of a code as typed, ignoring case, blanks and dashes. */
export function hashRecoveryCode(typed: string): Buffer {
  const letters = typed.toLowerCase().replace(/[^0-9a-z]/g, '')
  return createHash('sha256').update(`staff recovery ${letters}`).digest()
}

/** Marks a recovery code as used; without an id it takes as long and returns false. */
export function useRecoveryCode(
  db: Queryable,
  member: { id: number | null; passwordHash: string; codeHash: Buffer; address: string },
): Promise<boolean> {
  const { id, passwordHash, codeHash, address } = member
  return callFunction(db, 'staff.use_recovery_code', id, passwordHash, codeHash, address)
}
