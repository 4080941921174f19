/** The rounds module's SQL for voids that two people decide on. */
import { callFunction, type Queryable } from '#src/db/database.ts'

type VoidRequest = { gameId: number; issue: string; session: string }

export function proposeRoundVoid(
  db: Queryable,
  { gameId, issue, note, session }: VoidRequest & { note: string },
): Promise<'proposed' | 'not_found' | 'decided' | 'already_proposed' | 'too_late'> {
  return callFunction(db, 'rounds.propose_void($1, $2, $3, $4)', [gameId, issue, note, session])
}

export function confirmRoundVoid(
  db: Queryable,
  { gameId, issue, session }: VoidRequest,
): Promise<'voided' | 'not_found' | 'not_proposed' | 'decided' | 'same_person' | 'too_late'> {
  return callFunction(db, 'rounds.confirm_void($1, $2, $3)', [gameId, issue, session])
}
