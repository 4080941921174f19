import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { decidedBefore, refuseByWord } from '#src/refusal/refusal-words.ts'
import { dismiss, settledBy, type TransferKey } from './assignment-store.ts'

/**
 * Dismisses an unmatched transfer: it belongs to no member. An open proposal is refused with it. It moves no money,
 * so one person is enough, and it can be withdrawn.
 *
 * @returns null, or not_found, already_decided
 */
export async function dismissTransfer(
  db: Database,
  request: TransferKey & { session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await dismiss(tx, request)
    if (word === 'not_found') return refuseByWord(word, { field: 'tx_id' })
    if (word === 'decided') return decidedBefore(await settledBy(tx, request))
    await appendAudit(tx, {
      session: request.session,
      action: 'transfer_dismissed',
      subject: `transfer:${request.txId}:${request.logIndex}`,
      details: { reason: request.reason },
    })
    return null
  })
}
