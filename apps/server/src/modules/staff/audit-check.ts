/** Whether the audit log is what was written: looked at again and again without reading all of it. */
import { only, type Queryable } from '#src/db/database.ts'

/** The whole log is read once more when that was so long ago. */
const WHOLE_AGAIN_MS = 3_600_000

type Checked = {
  place: number | null
  lastId: number
  /** Hexadecimal. */
  lastHash: string
}

/** Gives the number of a row that was altered, is missing or stands elsewhere; null if none is seen. */
type FindAuditBreak = (shown: readonly { id: number }[]) => Promise<number | null>

/**
 * Checks the log for a process's life. A call reads the rows that are shown, those that came since
 * the last call, and the log's end; all rows when it is the first, an hour after it, and as long as
 * something is wrong. So a row altered in between is told on the page that shows it at once, and on
 * every page within the hour.
 */
export function auditChecker(db: Queryable, now: () => number = Date.now): FindAuditBreak {
  // What stands from the first row to this one was found right.
  let known: { id: number; hash: string } | null = null
  let wholeAt = 0

  return async (shown) => {
    const after = known && now() - wholeAt < WHOLE_AGAIN_MS ? known : null
    const startedAt = now()
    const { place, lastId, lastHash } = await check(db, after, shown)
    if (place !== null) {
      known = null
      return place
    }
    // Of several at once the one that has read furthest counts.
    if (!after) wholeAt = startedAt
    if (!known || !after || lastId >= known.id) known = { id: lastId, hash: lastHash }
    return null
  }
}

async function check(
  db: Queryable,
  after: { id: number; hash: string } | null,
  shown: readonly { id: number }[],
): Promise<Checked> {
  const ids = shown.map(({ id }) => id)
  return only(
    await db.query<Checked>(
      `select place::integer, last_id::integer as "lastId", encode(last_hash, 'hex') as "lastHash"
       from staff.audit_check($1, coalesce(decode($2, 'hex'), sha256('')), $3, $4)`,
      [
        after?.id ?? 0,
        after?.hash ?? null,
        ids.length > 0 ? Math.min(...ids) : null,
        ids.length > 0 ? Math.max(...ids) : null,
      ],
    ),
  )
}
