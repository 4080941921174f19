/** Whether the audit log is what was written: looked at again and again without reading all of it. */
import type { Database } from '#src/db/database.ts'
import type { Sealer } from '#src/sealer.ts'
import type { AuditHeads } from './audit-heads.ts'
import { findForgedSeal, isOurHead } from './audit-seal.ts'
import { auditCheck, firstOtherHash } from './audit-seal-store.ts'

/** The whole log is read once more when that was so long ago. */
const WHOLE_AGAIN_MS = 3_600_000

/** What the log is compared with besides itself. */
export type AuditWitnesses = { sealer: Sealer; heads: AuditHeads }

/** Gives the number of a row that was altered, is missing or stands elsewhere; null if none is seen. */
type FindAuditBreak = (shown: readonly { id: number }[]) => Promise<number | null>

/**
 * Checks the log for a process's life. A call reads the rows that are shown, those that came since
 * the last call, and the log's end; all rows, all seals and the heads that were written to the data
 * folder when it is the first, an hour after it, and as long as something is wrong. So a row altered
 * in between is told on the page that shows it at once, and on every page within the hour.
 */
export function auditChecker(
  db: Database,
  witnesses: AuditWitnesses,
  now: () => number = Date.now,
): FindAuditBreak {
  // What stands from the first row to this one was found right.
  let known: { id: number; hash: string } | null = null
  let wholeAt = 0

  return async (shown) => {
    const after = known && now() - wholeAt < WHOLE_AGAIN_MS ? known : null
    const startedAt = now()
    const checked = await auditCheck(db, after ?? { id: 0, hash: null }, shown)
    const place = checked.place ?? (after ? null : await unlikeItsWitnesses(db, witnesses))
    if (place !== null) {
      known = null
      return place
    }
    const { lastId, lastHash } = checked
    // Of several at once the one that has read furthest counts.
    if (!after) wholeAt = startedAt
    if (!known || !after || lastId >= known.id) known = { id: lastId, hash: lastHash }
    return null
  }
}

/**
 * Compares the log with its seals and with the heads that were written outside the database.
 *
 * @returns the number of the first row that is another now; null if none is seen
 */
export async function unlikeItsWitnesses(
  db: Database,
  { sealer, heads }: AuditWitnesses,
): Promise<number | null> {
  const forged = await findForgedSeal({ db, sealer })
  const written = heads.all()
  const notOurs = written.find((head) => isOurHead(sealer, head) === false)
  const places = [forged, notOurs?.id ?? null, await firstOtherHash(db, written)]
  const seen = places.filter((place) => place !== null)
  return seen.length > 0 ? Math.min(...seen) : null
}
