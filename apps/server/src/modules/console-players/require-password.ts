import type { Database } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import * as store from './reset-store.ts'

/**
 * Signs a player out on all devices, and lets him sign in only after he has set a new password with a mailed code. He
 * is notified by mail. Meanwhile his present password gives no access.
 *
 * @returns null, or not_found, account_closed, or email_missing if no code can be mailed to him
 */
export async function requirePassword(
  db: Database,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.requirePassword(tx, { playerId, session })
    if (word !== 'required') return refuseByWord(word, { field: 'user_id' })
    await appendAudit(tx, {
      ...{ session, action: 'password_required', subject: `player:${playerId}` },
      details: { reason },
    })
    await notify(tx, { playerId, kind: 'password_required' })
    return null
  })
}
