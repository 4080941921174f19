import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { proposeRoundVoid } from './void-store.ts'

/**
 * Proposes to void a round, while nobody can know its result.
 *
 * @returns null, or not_found, already_decided, already_proposed, round_ended
 */
export async function proposeVoid(
  db: Database,
  {
    gameId,
    issue,
    note,
    session,
  }: { gameId: number; issue: string; note: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await proposeRoundVoid(tx, { gameId, issue, note, session })
    if (word !== 'proposed') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'void_proposed',
      subject: `round:${gameId}:${issue}`,
      details: { note },
    })
    return null
  })
}
