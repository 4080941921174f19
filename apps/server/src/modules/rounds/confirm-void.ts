import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { confirmRoundVoid } from './void-store.ts'

/**
 * Voids a round that another person has proposed to void, while nobody can know its result. Every stake is returned,
 * and the round is published as voided by staff.
 *
 * @returns null, or not_found, not_proposed, already_decided, second_person_needed, round_ended
 */
export async function confirmVoid(
  db: Database,
  { gameId, issue, session }: { gameId: number; issue: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await confirmRoundVoid(tx, { gameId, issue, session })
    if (word !== 'voided') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'round_voided',
      subject: `round:${gameId}:${issue}`,
      details: {},
    })
    return null
  })
}
