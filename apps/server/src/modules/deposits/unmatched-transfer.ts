import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { isHeld } from '#src/modules/protection/protection-store.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import {
  decidedBefore,
  proposedBefore,
  type Refusal,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import {
  assignmentById,
  confirmProposal,
  deciderOf,
  dismiss,
  proposeAssignment,
  refuseProposal,
  reopen,
  type TransferKey,
} from './assignment-store.ts'
import { depositor } from './bank-deposit-store.ts'

/**
 * Proposes the member to whom an unmatched transfer belongs. Nothing is credited before another person confirms it.
 *
 * @param request `note`: the proof, for the person who confirms
 * @returns the proposal's id, or not_found (no such person, no such transfer), member_only, already_decided (it is
 * credited, or dismissed), already_proposed
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
    if (result === 'decided') return decidedBefore(await deciderOf(tx, request))
    if (result === 'already_proposed') return proposedBefore(await deciderOf(tx, request))
    await appendAudit(tx, {
      session,
      action: 'transfer_proposed',
      subject: `transfer:${txId}:${logIndex}`,
      details: { assignment_id: result, player_id: playerId, note },
    })
    return { id: result }
  })
}

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

/**
 * Refuses a proposal: nothing is credited, and the transfer is pending again. A cashier may refuse his own proposal.
 *
 * @returns null, or not_found, already_decided
 */
export async function refuseAssignment(
  db: Database,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await refuseProposal(tx, { id, session, reason })
    const refused = await assignmentById(tx, id)
    if (word === 'decided') return decidedBefore(refused?.decidedBy)
    if (word !== 'refused') return refuseByWord(word)
    if (!refused) throw new Error(`assignment ${id} was refused and is not there`)
    await appendAudit(tx, {
      session,
      action: 'transfer_proposal_refused',
      subject: `transfer:${refused.txId}:${refused.logIndex}`,
      details: { assignment_id: id, player_id: refused.playerId, reason },
    })
    return null
  })
}

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
    if (word === 'decided') return decidedBefore(await deciderOf(tx, request))
    await appendAudit(tx, {
      session: request.session,
      action: 'transfer_dismissed',
      subject: `transfer:${request.txId}:${request.logIndex}`,
      details: { reason: request.reason },
    })
    return null
  })
}

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
