/** Changes by forms of staff: each is one transaction, with what the row was and is in the audit log. */
import { type Database, only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type AuditDetails, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { isRefusal, malformed, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'

/** The answer of a function that makes a change. */
export type Saved = 'saved' | 'not_found' | 'content_changed' | 'too_many'

/** A row, and the version that the form was made from. Without an id it is new. */
export type Form = { id?: number | undefined; version?: number | undefined; session: string }

type Row = { id: number | bigint | string; changedBy: string | null }

export type RowChange<Changed extends Row> = {
  /** The subject in the audit log is this and the id. */
  kind: string
  /** The row that is changed; without one it is the row that is new. */
  id?: number | string | undefined
  session: string
  action: string
  /** Reads the row among others, or alone. */
  rows: (tx: Queryable) => Promise<Changed[]>
  make: (tx: Transaction, rows: Changed[]) => Promise<Saved | Refusal>
  /** The field that is wrong if there are too many. */
  field?: string
  /** What the audit log has of the row, which is one of these. */
  facts: (row: Changed, rows: Changed[]) => AuditDetails | string | null
}

/**
 * Makes a change.
 *
 * @returns null, or not_found, content_changed, malformed (too many), or the refusal of `make`
 */
export async function changeRow<Changed extends Row>(
  db: Database,
  change: RowChange<Changed>,
): Promise<null | Refusal> {
  const after = await rowsAfterChange(db, change)
  return isRefusal(after) ? after : null
}

/** The same; returns the rows as the change left them, for a later read could fail or find another's change. */
export function rowsAfterChange<Changed extends Row>(
  db: Database,
  { kind, id, session, action, rows, make, field = 'id', facts }: RowChange<Changed>,
): Promise<Changed[] | Refusal> {
  return asStaff(db, async (tx) => {
    // One at a time, so that what is read before and after differs by this change alone.
    await tx.query(`select pg_advisory_xact_lock(hashtext('console.' || $1::text))`, [kind])
    const before = await rows(tx)
    const answer = await make(tx, before)
    if (isRefusal(answer)) return answer
    if (answer === 'too_many') return malformed({ [field]: answer })
    if (answer === 'content_changed') {
      const by = before.find((row) => row.id === id)?.changedBy ?? '—'
      return refuseByWord(answer, { by })
    }
    if (answer !== 'saved') return refuseByWord(answer, { field: 'id' })
    const after = await rows(tx)
    const changed = id ?? only(after.filter((row) => before.every((each) => each.id !== row.id))).id
    const factsIn = (list: Changed[]) => {
      const row = list.find((each) => each.id === changed)
      return row ? facts(row, list) : null
    }
    await appendAudit(tx, {
      session,
      action,
      subject: `${kind}:${changed}`,
      details: { before: factsIn(before), after: factsIn(after) },
    })
    return after
  })
}
