/** The SQL of the members of staff that calls list and change. */
import type { StaffRole } from '@sum28/contract/route.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'

export type ListedMember = {
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
  return callFunction(db, 'staff.close_colleague($1, $2)', [name, session])
}
