import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal.ts'
import { refuseByWord } from '#src/refusal-words.ts'
import { reopen, type TransferKey } from './assignment-store.ts'

/**
 * Withdraws the dismissal of a transfer: it is pending again.
 *
 * @returns null, or not_found, not_dismissed
 */
export async function reopenTransfer(
  db: Database,
  asked: TransferKey & { session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const said = await reopen(tx, asked)
    if (said === 'not_found') return refuseByWord(said, { field: 'tx_id' })
    if (said === 'not_dismissed') return refuseByWord(said)
    await appendAudit(tx, {
      session: asked.session,
      action: 'transfer_reopened',
      subject: `transfer:${asked.txId}:${asked.logIndex}`,
      details: { reason: asked.reason },
    })
    return null
  })
}
