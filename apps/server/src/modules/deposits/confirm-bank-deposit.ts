import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { isHeld } from '#src/modules/protection/protection-store.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { decidedBefore, refuseByWord } from '#src/refusal/refusal-words.ts'
import { bankDepositById, confirmAndCredit } from './bank-deposit-store.ts'

/**
 * Confirms a bank deposit that another person recorded: it is credited, once, and the player is notified.
 *
 * @returns null, or not_found, already_decided, second_person_needed, credited_by_chain (its reference is a credited
 * transaction), reference_used (an earlier deposit has the reference)
 */
export async function confirmBankDeposit(
  deps: { db: Database; timeZone: string; now: () => number },
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  return asStaff(deps.db, async (tx) => {
    const onDay = dayOf(deps.timeZone, deps.now())
    const word = await confirmAndCredit(tx, { id, session, onDay })
    const deposit = await bankDepositById(tx, id)
    if (word === 'decided') return decidedBefore(deposit?.decidedBy)
    if (word !== 'confirmed') return refuseByWord(word)
    if (!deposit) throw new Error(`bank deposit ${id} was confirmed and is not there`)
    const { playerId, reference } = deposit
    const amount = formatAmount(deposit.amount)
    const held = await isHeld(tx, `bank:${id}`)
    await notifyOfDeposits(tx, [{ playerId, amount: deposit.amount, held }])
    await appendAudit(tx, {
      session,
      action: 'bank_deposit_confirmed',
      subject: `bank_deposit:${id}`,
      details: { player_id: playerId, amount, reference },
    })
    return null
  })
}
