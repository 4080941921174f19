import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { decidedBefore, proposedBefore, refuseByWord } from '#src/refusal/refusal-words.ts'
import { proposeAssignment, settledBy, type TransferKey } from './assignment-store.ts'
import { depositor } from './bank-deposit-store.ts'

/**
 * Proposes the member to whom an unmatched transfer belongs. Nothing is credited before another person confirms it.
 *
 * @param request `note`: the proof, for the person who confirms
 * @returns the proposal's id, or not_found (no such person, no such transfer), member_only, already_decided (it is
 * credited, or dismissed), already_proposed, credited_by_bank (a bank deposit has the transaction as its reference)
 */
export async function assignTransfer(
  db: Database,
  request: TransferKey & { playerId: number; note: string; session: string },
): Promise<{ id: number } | Refusal> {
  const { txId, logIndex, playerId, note, session } = request
  const player = await depositor(db, playerId)
  if (!player) return refuse('not_found', { field: 'user_id' })
  if (player.groupId !== 1) return refuse('member_only')
  return asStaff(db, async (tx) => {
    const result = await proposeAssignment(tx, request)
    if (result === 'not_found') return refuseByWord(result, { field: 'tx_id' })
    if (result === 'decided') return decidedBefore(await settledBy(tx, request))
    if (result === 'already_proposed') return proposedBefore(await settledBy(tx, request))
    if (typeof result !== 'number') return refuseByWord(result)
    await appendAudit(tx, {
      session,
      action: 'transfer_proposed',
      subject: `transfer:${txId}:${logIndex}`,
      details: { assignment_id: result, player_id: playerId, note },
    })
    return { id: result }
  })
}
