import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { asStaff } from './as-staff.ts'
import { closeMemberAs } from './member-store.ts'

/**
 * Closes another member's account and ends his sessions. Members cannot close their own account, so there is always
 * one left who can open it again.
 *
 * @returns null, or not_found, second_person_needed (his own account), already_decided, session_replaced (the
 * caller's own account was closed meanwhile)
 */
export async function closeColleague(
  db: Database,
  { name, session }: { name: string; session: string },
): Promise<null | Refusal> {
  const result = await asStaff(db, (tx) =>
    closeMemberAs(tx, { name: asciiLowerCase(name), session }),
  )
  if (isRefusal(result)) return result
  if (result === 'not_found') return refuseByWord(result, { field: 'name' })
  return result === 'closed' ? null : refuseByWord(result)
}
