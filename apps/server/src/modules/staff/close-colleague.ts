import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { StaffRole } from '@sum28/contract/route.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'
import { asStaff } from './audit.ts'

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

type ListedMember = {
  id: number
  name: string
  role: StaffRole
  active: boolean
  createdAt: number
}

/** All present and former members, by name; `q`: those whose name begins with it, in any case. */
export function allMembers(db: Queryable, q?: string): Promise<ListedMember[]> {
  return db.query<ListedMember>(
    `select id, name, role, active, created_at as "createdAt" from staff.member
     where $1::text is null or starts_with(lower(name), lower($1)) order by name`,
    [q ?? null],
  )
}

type Closed = 'closed' | 'not_found' | 'same_person' | 'already_closed'

/** Closes a colleague's account, ends his sessions and writes the audit log. */
export function closeMemberAs(
  db: Queryable,
  { name, session }: { name: string; session: string },
): Promise<Closed> {
  return callFunction(db, 'staff.close_colleague', name, session)
}
