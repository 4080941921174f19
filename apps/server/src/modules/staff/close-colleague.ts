import type { Database } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import { closeMemberAs } from './member-store.ts'

/**
 * Closes another member's account by a call, and ends his sessions. Nobody closes his own: so there
 * is always one left who may open it again.
 *
 * @returns null, or not_found, second_person_needed (his own), already_decided, session_replaced
 * (whose own account was closed meanwhile)
 */
export async function closeColleague(
  db: Database,
  { name, staffId }: { name: string; staffId: number },
): Promise<null | Refusal> {
  const said = await closeMemberAs(db, { name: name.toLowerCase(), staffId })
  if (said === 'not_found') return refuse('not_found', { field: 'name' })
  if (said === 'same_person') return refuse('second_person_needed')
  if (said === 'already') return refuse('already_decided')
  if (said === 'caller_closed') return refuse('session_replaced')
  return null
}
