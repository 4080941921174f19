/** Pays a held deposit back: proposed by one person and confirmed by another, each step in the audit log. */
import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import {
  decidedBefore,
  proposedBefore,
  type RefusalWord,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import * as store from './held-deposit-store.ts'

/** The held deposit, and the token of the acting session. */
type OnDeposit = { id: number; session: string }

/**
 * Proposes to pay a held deposit back to its sender.
 *
 * @returns null, or not_found, already_decided (it was released meanwhile) or already_proposed
 */
export function proposeRefund(
  db: Database,
  request: OnDeposit & { reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.storeProposalOfRefund(tx, request)
    if (word !== 'proposed') return refusalOf(tx, request.id, word)
    await done(tx, request, 'refund_proposed', { reason: request.reason })
    return null
  })
}

/**
 * Withdraws a proposal.
 *
 * @returns null, or not_found, already_decided or not_proposed
 */
export function refuseRefund(
  db: Database,
  request: OnDeposit & { reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.storeRefusalOfRefund(tx, request)
    if (word !== 'refused') return refusalOf(tx, request.id, word)
    await done(tx, request, 'refund_refused', { reason: request.reason })
    return null
  })
}

/**
 * Records that a held deposit was paid back, and notifies the player. The person who proposed it may not do this.
 *
 * @param request `reference`: the payment's; valid for one payment
 * @returns null, or not_found, already_decided, not_proposed, second_person_needed or reference_used
 */
export function confirmRefund(
  { db, timeZone, now }: { db: Database; timeZone: string; now: () => number },
  request: OnDeposit & { reference: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.storeRefund(tx, { ...request, onDay: dayOf(timeZone, now()) })
    if (word !== 'paid') return refusalOf(tx, request.id, word)
    const { playerId, amount } = await depositOf(tx, request.id)
    const facts = { amount: formatAmount(amount), reference: request.reference }
    await notify(tx, { playerId, kind: 'deposit_refunded', facts })
    await done(tx, request, 'deposit_refunded', { reference: request.reference })
    return null
  })
}

/** Why it was refused; if it is decided or proposed already, by whom. The product itself makes releases. */
async function refusalOf(tx: Transaction, id: number, word: RefusalWord): Promise<Refusal> {
  const deposit = await store.heldDepositById(tx, id)
  if (word === 'decided') return decidedBefore(deposit?.decidedBy)
  if (word === 'already_proposed') return proposedBefore(deposit?.proposedBy)
  return refuseByWord(word)
}

async function done(
  tx: Transaction,
  { id, session }: OnDeposit,
  action: string,
  facts: Record<string, string>,
): Promise<void> {
  const { playerId, amount, origin } = await depositOf(tx, id)
  await appendAudit(tx, {
    ...{ session, action },
    subject: `held_deposit:${id}`,
    details: { player_id: playerId, amount: formatAmount(amount), origin, ...facts },
  })
}

async function depositOf(tx: Transaction, id: number): Promise<store.HeldDeposit> {
  const deposit = await store.heldDepositById(tx, id)
  if (!deposit) throw new Error(`the held deposit ${id} that was decided is gone`)
  return deposit
}
