import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { decidedBefore, refuseByWord } from '#src/refusal/refusal-words.ts'
import { assignmentById, refuseProposal } from './assignment-store.ts'

/**
 * Refuses a proposal: nothing is credited, and the transfer is pending again. A cashier may refuse his own proposal.
 *
 * @returns null, or not_found, already_decided
 */
export async function refuseAssignment(
  db: Database,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await refuseProposal(tx, { id, session, reason })
    const refused = await assignmentById(tx, id)
    if (word === 'decided') return decidedBefore(refused?.decidedBy)
    if (word !== 'refused') return refuseByWord(word)
    if (!refused) throw new Error(`assignment ${id} was refused and is not there`)
    await appendAudit(tx, {
      session,
      action: 'transfer_proposal_refused',
      subject: `transfer:${refused.txId}:${refused.logIndex}`,
      details: { assignment_id: id, player_id: refused.playerId, reason },
    })
    return null
  })
}
