/** Recovery codes: each signs a member in once if his authenticator is lost. Only hashes are stored. */
import { createHash } from 'node:crypto'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { bareRecoveryCode } from '#src/secrets/one-time-codes.ts'

/** The hash of a code as typed. */
export function hashRecoveryCode(typed: string): Buffer {
  return createHash('sha256')
    .update(`staff recovery ${bareRecoveryCode(typed)}`)
    .digest()
}

/** Marks a recovery code as used; without an id it takes as long and returns false. */
export function useRecoveryCode(
  db: Queryable,
  member: { id: number | null; passwordHash: string; codeHash: Buffer; address: string },
): Promise<boolean> {
  const { id, passwordHash, codeHash, address } = member
  return callFunction(db, 'staff.use_recovery_code', id, passwordHash, codeHash, address)
}
