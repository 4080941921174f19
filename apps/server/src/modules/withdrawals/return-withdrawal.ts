/**
 * Returns an approved withdrawal that cannot be paid: proposed by one person and confirmed by another. Each step is
 * in the audit log, and the player is notified.
 */
import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { done, type Review, refusalOf } from './review-withdrawal.ts'
import {
  storeProposalOfReversal,
  storeRefusalOfReversal,
  storeReversal,
  withdrawalById,
} from './withdrawal-store.ts'

/**
 * Proposes to return an approved withdrawal. Meanwhile it cannot be paid.
 *
 * @param request `reason`: shown to the player after the return
 * @returns null, or not_found, not_approved, already_decided (it is paid, reversed or rejected), at_bank or
 * already_proposed
 */
export function proposeReversal(
  db: Database,
  request: Review & { reason: string },
): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await storeProposalOfReversal(tx, request)
    if (word !== 'proposed') return refusalOf(tx, request.id, word)
    const { id, session, reason } = request
    await done(tx, { id, session, action: 'withdrawal_reversal_proposed', facts: { reason } })
    return null
  })
}

/**
 * Withdraws a proposal: the withdrawal is to be paid as before.
 *
 * @returns null, or a refusal of a proposal, or not_proposed
 */
export function refuseReversal(
  db: Database,
  request: Review & { reason: string },
): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await storeRefusalOfReversal(tx, request)
    if (word !== 'refused') return refusalOf(tx, request.id, word)
    const { id, session, reason } = request
    await done(tx, { id, session, action: 'withdrawal_reversal_refused', facts: { reason } })
    return null
  })
}

/**
 * Returns the money to the player's free balance, and notifies him of the reason. The person who proposed it may not
 * do this.
 *
 * @returns null, or a refusal of a proposal, or not_proposed or second_person_needed
 */
export function confirmReversal(db: Database, { id, session }: Review): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await storeReversal(tx, { id, session })
    if (word !== 'reversed') return refusalOf(tx, id, word)
    const reason = (await withdrawalById(tx, id))?.reversalReason ?? ''
    const [action, notice] = ['withdrawal_released', 'withdrawal_reversed'] as const
    await done(tx, { id, session, action, notice, facts: { reason } })
    return null
  })
}
