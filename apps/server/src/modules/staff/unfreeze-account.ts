import type { Database } from '#src/db/database.ts'
import { unfreezePlayer } from '#src/modules/accounts/freeze-store.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import { appendAudit } from './audit.ts'

/**
 * Ends the freeze of an account. The player signs in anew: sessions that the freeze ended stay ended.
 *
 * @returns null, or not_found, not_frozen
 */
export async function unfreezeAccount(
  db: Database,
  { playerId, reason, staffId }: { playerId: number; reason: string; staffId: number },
): Promise<null | Refusal> {
  return db.transaction(async (tx) => {
    const said = await unfreezePlayer(tx, { playerId, reason, staffId })
    if (said === 'not_found') return refuse('not_found', { field: 'user_id' })
    if (said === 'already') return refuse('not_frozen')
    await appendAudit(tx, {
      staffId,
      action: 'account_unfrozen',
      subject: `player:${playerId}`,
      details: { reason },
    })
    return null
  })
}
