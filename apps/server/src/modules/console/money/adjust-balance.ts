/** Bonuses and corrections of balances: proposed by one person, confirmed by another, each step in the audit log. */
import type { StaffRole } from '@sum28/contract/route.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { type NoticeKind, notify } from '#src/modules/inbox/notify.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { balancesOf } from '#src/modules/wallet/wallet-store.ts'
import {
  decidedBefore,
  type Refusal,
  type RefusalWord,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import * as store from './adjustment-store.ts'

/** The token of the acting session, and the role of its member. */
type Actor = { session: string; role: StaffRole }

const NOTICES: Record<store.AdjustmentKind, NoticeKind> = {
  bonus: 'bonus',
  credit: 'adjustment_credit',
  debit: 'adjustment_debit',
}

/**
 * Proposes a bonus or a correction.
 *
 * @param proposal `amount` in micro-units; `reason` is shown to the player after the confirmation
 * @returns the adjustment's id, or not_found (no such player), account_closed, excluded (no bonus during a break or a
 * review), insufficient_balance, above_role_limit
 */
export function proposeAdjustment(
  db: Database,
  proposal: Actor & {
    playerId: number
    kind: store.AdjustmentKind
    amount: Amount
    reason: string
  },
): Promise<{ id: number } | Refusal> {
  return asStaff(db, async (tx) => {
    const { answer: word, id } = await store.insertAdjustment(tx, proposal)
    if (word !== 'proposed') {
      return refusal(tx, word, { playerId: proposal.playerId, except: null, role: proposal.role })
    }
    await done(tx, { id: Number(id), session: proposal.session }, 'adjustment_proposed')
    return { id: Number(id) }
  })
}

/**
 * Confirms what another person has proposed: the money moves, and the player is notified of the reason.
 *
 * @returns null, or not_found, already_decided, second_person_needed, or a refusal of a proposal
 */
export function confirmAdjustment(
  { db, timeZone, now }: { db: Database; timeZone: string; now: () => number },
  { id, session, role }: Actor & { id: number },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.confirmAdjustmentOf(tx, { id, session, onDay: dayOf(timeZone, now()) })
    const adjustment = await store.adjustmentById(tx, id)
    if (word === 'not_found' || !adjustment) return refuseByWord('not_found')
    const { playerId, kind, amount, reason } = adjustment
    if (word === 'decided') return decidedBefore(adjustment.decidedBy)
    if (word !== 'confirmed') return refusal(tx, word, { playerId, except: id, role })
    const facts = { amount: formatAmount(amount), reason }
    await notify(tx, { playerId, kind: NOTICES[kind], facts })
    await done(tx, { id, session }, 'adjustment_confirmed')
    return null
  })
}

/**
 * Withdraws one's own proposal, or refuses that of another person.
 *
 * @returns null, or not_found or already_decided
 */
export function endAdjustment(
  db: Database,
  request: { id: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.endAdjustmentOf(tx, request)
    const adjustment = await store.adjustmentById(tx, request.id)
    if (word === 'not_found' || !adjustment) return refuseByWord('not_found')
    if (word === 'decided') return decidedBefore(adjustment.decidedBy)
    await done(tx, request, `adjustment_${word}`)
    return null
  })
}

/** The refusal for a word of the database, in words for staff and with the amounts that matter. */
async function refusal(
  tx: Transaction,
  word: RefusalWord,
  of: { playerId: number; except: number | null; role: StaffRole },
): Promise<Refusal> {
  if (word === 'above_role_limit') {
    const { maximum, left } = await store.limitLeft(tx, of)
    return refuse(word, { maximum: formatAmount(maximum), left: formatAmount(left) })
  }
  if (word === 'insufficient_balance') {
    const cash = (await balancesOf(tx, [of.playerId])).get(of.playerId) ?? 0n
    return { ...refuse(word, { left: formatAmount(cash) }), wording: 'above_free_balance' }
  }
  if (word === 'excluded') return { ...refuse(word), wording: 'bonus_excluded' }
  return refuseByWord(word)
}

async function done(
  tx: Transaction,
  { id, session }: { id: number; session: string },
  action: string,
): Promise<void> {
  const adjustment = await store.adjustmentById(tx, id)
  if (!adjustment) throw new Error(`the adjustment ${id} that was decided is gone`)
  const { playerId, kind, amount, reason, proposedBy, refuseReason } = adjustment
  await appendAudit(tx, {
    ...{ session, action },
    subject: `adjustment:${id}`,
    details: {
      ...{ player_id: playerId, kind, amount: formatAmount(amount), reason },
      ...{ proposed_by: proposedBy, ...(refuseReason !== null && { refuse_reason: refuseReason }) },
    },
  })
}
