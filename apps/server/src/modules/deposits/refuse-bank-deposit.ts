import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { decidedBefore, refuseByWord } from '#src/refusal/refusal-words.ts'
import { bankDepositById, refuseRecorded } from './bank-deposit-store.ts'

/**
 * Refuses a wrongly recorded bank deposit: nothing is credited, and its reference can be recorded again. A cashier
 * may refuse what he recorded himself.
 *
 * @returns null, or not_found, already_decided
 */
export async function refuseBankDeposit(
  db: Database,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await refuseRecorded(tx, { id, session, reason })
    if (word === 'decided') return decidedBefore((await bankDepositById(tx, id))?.decidedBy)
    if (word !== 'refused') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'bank_deposit_refused',
      subject: `bank_deposit:${id}`,
      details: { reason },
    })
    return null
  })
}
