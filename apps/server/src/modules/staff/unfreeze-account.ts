import type { Database } from '#src/db/database.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { asStaff } from './as-staff.ts'
import { appendAudit } from './audit.ts'
import { unfreezePlayer } from './freeze-store.ts'

/**
 * Lifts the freeze of an account. The player must sign in again: sessions that the freeze ended stay ended.
 *
 * @returns null, or not_found, not_frozen
 */
export async function unfreezeAccount(
  db: Database,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await unfreezePlayer(tx, { playerId, reason, session })
    if (word === 'not_found') return refuseByWord(word, { field: 'user_id' })
    if (word === 'not_frozen') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'account_unfrozen',
      subject: `player:${playerId}`,
      details: { reason },
    })
    return null
  })
}
