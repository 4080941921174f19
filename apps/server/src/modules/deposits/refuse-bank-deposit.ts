import type { Database } from '#src/db/database.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import { refuseRecorded } from './bank-deposit-store.ts'

/**
 * Refuses a bank deposit that was recorded wrongly: nothing is credited, and its reference is free
 * to be recorded rightly. A cashier may refuse what he recorded himself.
 *
 * @returns null, or not_found, already_decided
 */
export async function refuseBankDeposit(
  db: Database,
  { id, staffId, reason }: { id: number; staffId: number; reason: string },
): Promise<null | Refusal> {
  return db.transaction(async (tx) => {
    const said = await refuseRecorded(tx, { id, staffId, reason })
    if (said === 'not_found') return refuse('not_found')
    if (said === 'decided') return refuse('already_decided')
    await appendAudit(tx, {
      staffId,
      action: 'bank_deposit_refused',
      subject: `bank_deposit:${id}`,
      details: { reason },
    })
    return null
  })
}
