import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal } from '#src/refusal.ts'
import { refuseByWord } from '#src/refusal-words.ts'
import { asStaff } from './as-staff.ts'
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
  { name, session }: { name: string; session: string },
): Promise<null | Refusal> {
  const said = await asStaff(db, (tx) => closeMemberAs(tx, { name: asciiLowerCase(name), session }))
  if (isRefusal(said)) return said
  if (said === 'not_found') return refuseByWord(said, { field: 'name' })
  return said === 'closed' ? null : refuseByWord(said)
}
