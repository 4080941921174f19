import type { Queryable } from '#src/db/database.ts'
import { auditRows } from '#src/modules/staff/audit.ts'
import { isRefusal } from '#src/refusal/refusal.ts'

/** The latest rows of the audit log, newest first; 100 by default. */
export async function loggedActions(db: Queryable, limit = 100) {
  const page = await auditRows(db, 'UTC', { limit })
  if (isRefusal(page)) throw new Error(page.refused)
  return page.list
}
