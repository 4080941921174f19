/** Pays a held deposit back: proposed by one person and confirmed by another, each step in the audit log. */
import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal.ts'
import {
  decidedBefore,
  proposedBefore,
  type RefusalWord,
  refuseByWord,
} from '#src/refusal-words.ts'
import * as store from './held-deposit-store.ts'

/** The held deposit, and the token of the acting session. */
type OnDeposit = { id: number; session: string }

/**
 * Proposes to pay a held deposit back to its sender.
 *
 * @returns null, or not_found, already_decided (it was released meanwhile) or already_proposed
 */
export function proposeReturn(
  db: Database,
  asked: OnDeposit & { reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const said = await store.proposeReturnOf(tx, asked)
    if (said !== 'proposed') return refusalOf(tx, asked.id, said)
    await done(tx, asked, 'return_proposed', { reason: asked.reason })
    return null
  })
}

/**
 * Withdraws a proposal.
 *
 * @returns null, or not_found, already_decided or not_proposed
 */
export function refuseReturn(
  db: Database,
  asked: OnDeposit & { reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const said = await store.refuseReturnOf(tx, asked)
    if (said !== 'refused') return refusalOf(tx, asked.id, said)
    await done(tx, asked, 'return_refused', { reason: asked.reason })
    return null
  })
}

/**
 * Records that a held deposit was paid back, and notifies the player. The person who proposed it may not do this.
 *
 * @param asked `reference`: the payment's; valid for one payment
 * @returns null, or not_found, already_decided, not_proposed, second_person_needed or reference_used
 */
export function confirmReturn(
  { db, timeZone, now }: { db: Database; timeZone: string; now: () => number },
  asked: OnDeposit & { reference: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const said = await store.confirmReturnOf(tx, { ...asked, onDay: dayOf(timeZone, now()) })
    if (said !== 'paid') return refusalOf(tx, asked.id, said)
    const { playerId, amount } = await depositOf(tx, asked.id)
    const facts = { amount: formatAmount(amount), reference: asked.reference }
    await notify(tx, { playerId, kind: 'deposit_returned', facts })
    await done(tx, asked, 'deposit_returned', { reference: asked.reference })
    return null
  })
}

/** Why it was refused; if it is decided or proposed already, by whom. The product itself makes releases. */
async function refusalOf(tx: Transaction, id: number, said: RefusalWord): Promise<Refusal> {
  const deposit = await store.heldDepositById(tx, id)
  if (said === 'decided') return decidedBefore(deposit?.decidedBy)
  if (said === 'already_proposed') return proposedBefore(deposit?.proposedBy)
  return refuseByWord(said)
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
