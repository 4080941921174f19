/** Checks regularly that the audit log is unaltered, without reading all of it each time. */
import type { Database } from '#src/db/database.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import type { AuditHeads } from './audit-heads.ts'
import { auditCheck, findForgedSignature, firstOtherHash, isOurHead } from './audit-signature.ts'

/** The whole log is read again after this time. */
const WHOLE_AGAIN_MS = 3_600_000

/** The other sources that the log is compared with. */
export type AuditWitnesses = { cipher: SecretCipher; heads: AuditHeads }

/** Returns the number of a row that was altered, is missing or is in the wrong place; null if none is found. */
type FindAuditBreak = () => Promise<number | null>

/**
 * Checks the log during a process's life. A call reads the rows added since the last call, and the log's end. The
 * first call, one each hour, and every call while something is wrong read all rows, all signatures and the heads that
 * were written to the data folder: a row that was altered in between is reported within the hour.
 */
export function auditChecker(
  db: Database,
  witnesses: AuditWitnesses,
  now: () => number = Date.now,
): FindAuditBreak {
  // Everything from the first row to this one was found right.
  let lastChecked: { id: number; hash: string } | null = null
  let wholeAt = 0

  return async () => {
    const after = lastChecked && now() - wholeAt < WHOLE_AGAIN_MS ? lastChecked : null
    const startedAt = now()
    const checked = await auditCheck(db, after ?? { id: 0, hash: null })
    const brokenId = checked.brokenId ?? (after ? null : await unlikeItsWitnesses(db, witnesses))
    if (brokenId !== null) {
      lastChecked = null
      return brokenId
    }
    const { lastId, lastHash } = checked
    // Of several simultaneous checks the one that has read furthest counts.
    if (!after) wholeAt = startedAt
    if (!lastChecked || !after || lastId >= lastChecked.id)
      lastChecked = { id: lastId, hash: lastHash }
    return null
  }
}

/**
 * Compares the log with its signatures and with the heads that were stored outside the database.
 *
 * @returns the number of the first row that differs; null if none is found
 */
export async function unlikeItsWitnesses(
  db: Database,
  { cipher, heads }: AuditWitnesses,
): Promise<number | null> {
  const forged = await findForgedSignature({ db, cipher })
  const written = heads.all()
  const notOurs = written.find((head) => isOurHead(cipher, head) === false)
  const brokenIds = [forged, notOurs?.id ?? null, await firstOtherHash(db, written)]
  const seen = brokenIds.filter((brokenId) => brokenId !== null)
  return seen.length > 0 ? Math.min(...seen) : null
}
