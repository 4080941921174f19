/**
 * Sessions of staff: a token of 256 random bits, stored as its hash. A session ends after 15 minutes without activity
 * of the member, after 12 hours in any case, at logout, and when the member gets new credentials or is made inactive.
 */

import { callFunction, type Database, type Transaction } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { FindStaff } from '#src/http/caller.ts'
import { hashSecret, newSecret } from '#src/modules/accounts/session.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { type SessionRow, sessionsByHash } from './staff-store.ts'

/** The same times as in the database, in `staff.acting`. */
const IDLE_MS_MAX = 15 * 60_000
const AGE_MS_MAX = 12 * 3_600_000

/** How old `seen_at` may become before a call updates it. */
const TOUCH_EVERY_MS = 30_000

/** Begins a session, records that, and returns its token, which is stored nowhere. */
export async function startStaffSession(
  tx: Transaction,
  { staffId, address }: { staffId: number; address: string },
): Promise<string> {
  const token = newSecret()
  await callFunction(tx, 'staff.begin_session', hashSecret(token), staffId, address)
  return token
}

export function staffFinder(db: Database): FindStaff {
  const read = readTogether<string, SessionRow>((hashes) => sessionsByHash(db, hashes))
  return async (token, { attended } = { attended: true }) => {
    const tokenHash = hashSecret(token)
    const session = await read(tokenHash.toString('hex'))
    if (!session || session.endedBy === 'logout') return refuse('session_unknown')
    if (session.endedBy || !session.active) return refuse('session_replaced')
    const idleMs = session.now - session.seenAt
    const ageMs = session.now - session.createdAt
    if (idleMs > IDLE_MS_MAX || ageMs > AGE_MS_MAX) return refuse('session_expired')
    // Also if it was last used on a clock that was ahead: it would end so much later.
    const touched = attended && Math.abs(idleMs) > TOUCH_EVERY_MS
    if (touched) {
      await db.query(
        `update staff.session set seen_at = app.now() where token_hash = decode($1, 'hex')`,
        [session.tokenHash],
      )
    }
    const { staffId, name, role } = session
    const idleMsLeft = IDLE_MS_MAX - (touched ? 0 : idleMs)
    return { staffId, name, role, token, tokenHash, idleMsLeft, msLeft: AGE_MS_MAX - ageMs }
  }
}
