import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import * as store from './likeness-store.ts'

/**
 * Decides on an account that resembles an excluded one: it is released, or the exclusion applies to it too. The
 * player learns nothing about the other account.
 *
 * @returns null, or not_found, already_decided, or not_excluded (the other exclusion is over)
 */
export async function decideLikeness(
  db: Database,
  decision: { id: number; confirms: boolean; reason: string; session: string },
): Promise<null | Refusal> {
  const { id, reason, session } = decision
  return asStaff(db, async (tx) => {
    const word = await store.decideLikeness(tx, decision)
    if (word !== 'released' && word !== 'confirmed') return refuseByWord(word)
    const likeness = await store.likenessOf(tx, id)
    if (!likeness) throw new Error(`the likeness ${id} that was decided is gone`)
    await appendAudit(tx, {
      session,
      action: `likeness_${word}`,
      subject: `player:${likeness.playerId}`,
      details: { like_player: likeness.likeId, like_in: likeness.likeIn, reason },
    })
    return null
  })
}
