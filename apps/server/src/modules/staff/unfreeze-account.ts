import type { Database } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import { asStaff } from './as-staff.ts'
import { appendAudit } from './audit.ts'
import { unfreezePlayer } from './freeze-store.ts'

/**
 * Ends the freeze of an account. The player signs in anew: sessions that the freeze ended stay ended.
 *
 * @returns null, or not_found, not_frozen
 */
export async function unfreezeAccount(
  db: Database,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const said = await unfreezePlayer(tx, { playerId, reason, session })
    if (said === 'not_found') return refuse('not_found', { field: 'user_id' })
    if (said === 'already') return refuse('not_frozen')
    await appendAudit(tx, {
      session,
      action: 'account_unfrozen',
      subject: `player:${playerId}`,
      details: { reason },
    })
    return null
  })
}
