import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { isHeld } from '#src/modules/protection/protection-store.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { decidedBefore, refuseByWord } from '#src/refusal/refusal-words.ts'
import { assignmentById, confirmProposal } from './assignment-store.ts'

/**
 * Confirms a transfer's owner, as another person proposed. It is credited as if it had matched, under its transaction
 * and log and so once, and the player is notified, however small the amount is.
 *
 * @returns null, or not_found, already_decided, second_person_needed
 */
export async function confirmAssignment(
  deps: { db: Database; timeZone: string; now: () => number },
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  return asStaff(deps.db, async (tx) => {
    const onDay = dayOf(deps.timeZone, deps.now())
    const word = await confirmProposal(tx, { id, session, onDay })
    const assigned = await assignmentById(tx, id)
    if (word === 'decided') return decidedBefore(assigned?.decidedBy)
    if (word !== 'confirmed') return refuseByWord(word)
    if (!assigned) throw new Error(`assignment ${id} was confirmed and is not there`)
    const { txId, logIndex, playerId } = assigned
    const amount = formatAmount(assigned.amount)
    const held = await isHeld(tx, `usdt:${txId}:${logIndex}`)
    await notifyOfDeposits(tx, [{ playerId, amount: assigned.amount, held }])
    await appendAudit(tx, {
      session,
      action: 'transfer_assigned',
      subject: `transfer:${txId}:${logIndex}`,
      details: { assignment_id: id, player_id: playerId, amount },
    })
    return null
  })
}
