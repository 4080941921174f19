import pg from 'pg'
import type { Database, Transaction } from '#src/db/database.ts'
import type { Refusal } from '#src/refusal.ts'
import { refusalWord, refuseByWord } from '#src/refusal-words.ts'

/** What the database says of a session that may not do it: since the call began, it was ended. */
const NOT_BY_THIS_SESSION = 'STAFF'

/**
 * Runs what a member of staff does, in one transaction. Who acts is looked at again by the database,
 * by the token of his session: an account that is closed, or a role that is taken away, while the
 * call is on its way does nothing any more.
 *
 * @returns what the work came to, or session_unknown, session_replaced, session_expired, forbidden
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
