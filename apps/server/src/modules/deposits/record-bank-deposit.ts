import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { addBankDeposit, depositor } from './bank-deposit-store.ts'

/** A cent: the smallest amount of two decimals. */
const AMOUNT_MIN: Amount = 10_000n

/** A transaction's id, with any text around it; the database looks for the same. */
const TRANSACTION = /[0-9a-f]{64}/i

/**
 * Records a player's transfer to the operator's bank account. Nothing is credited before another person confirms it.
 * A USDT transaction is refused: the chain credits it, or staff assign it.
 *
 * @returns the deposit's id, or not_found (no such person), member_only, reference_used,
 * reference_is_transfer, below_minimum
 */
export async function recordBankDeposit(
  db: Database,
  deposit: {
    playerId: number
    amount: Amount
    /** The bank's reference: one deposit for each, whatever its case and blanks. */
    reference: string
    session: string
  },
): Promise<{ id: number } | Refusal> {
  const { playerId, amount, reference, session } = deposit
  if (amount < AMOUNT_MIN) return refuse('below_minimum', { minimum: formatAmount(AMOUNT_MIN) })
  if (TRANSACTION.test(reference.replaceAll(/\s/g, ''))) return refuse('reference_is_transfer')
  const player = await depositor(db, playerId)
  if (!player) return refuse('not_found')
  if (player.groupId !== 1) return refuse('member_only')
  return asStaff(db, async (tx) => {
    const id = await addBankDeposit(tx, deposit)
    if (id === null) return refuse('reference_used')
    await appendAudit(tx, {
      session,
      action: 'bank_deposit_recorded',
      subject: `bank_deposit:${id}`,
      details: { player_id: playerId, amount: formatAmount(amount), reference },
    })
    return { id }
  })
}
