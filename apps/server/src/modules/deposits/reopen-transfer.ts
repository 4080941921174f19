import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { reopen, type TransferKey } from './assignment-store.ts'

/**
 * Withdraws the dismissal of a transfer: it is pending again.
 *
 * @returns null, or not_found, not_dismissed
 */
export async function reopenTransfer(
  db: Database,
  request: TransferKey & { session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await reopen(tx, request)
    if (word === 'not_found') return refuseByWord(word, { field: 'tx_id' })
    if (word === 'not_dismissed') return refuseByWord(word)
    await appendAudit(tx, {
      session: request.session,
      action: 'transfer_reopened',
      subject: `transfer:${request.txId}:${request.logIndex}`,
      details: { reason: request.reason },
    })
    return null
  })
}
