import pg from 'pg'
import type { Database, Transaction } from '#src/db/database.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refusalWord, refuseByWord } from '#src/refusal/refusal.ts'

/** The database's words for a session that may not act because it has ended since the call began. */
const NOT_BY_THIS_SESSION = 'STAFF'

/**
 * Runs an action of a member of staff in one transaction. The database checks again who acts, by the token of his
 * session: if the account is closed or the role removed while the call is in progress, the call does nothing.
 *
 * @returns the result of the work, or session_unknown, session_replaced, session_expired, forbidden
 */
export async function asStaff<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result | Refusal> {
  try {
    return await db.transaction(work)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NOT_BY_THIS_SESSION) {
      return refuseByWord(refusalWord(error.message))
    }
    throw error
  }
}
