/** Bonuses and corrections of balances: proposed by one person, confirmed by another. */
import type { ADJUSTMENT_KINDS } from '@sum28/contract/staff-proposal-routes.ts'
import { type Amount, formatAmount, formatAmountShort } from '@sum28/domain/money.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { type NoticeKind, notify } from '#src/modules/inbox/notify.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import {
  type Actor,
  amountOf,
  type KindRules,
  moved,
  type Proposal,
  propose,
} from '#src/modules/staff/proposal.ts'
import { balancesOf } from '#src/modules/wallet/wallet-store.ts'
import {
  type Done,
  malformed,
  type Refusal,
  refuse,
  refuseAmountBelow,
  refuseByWord,
  takenBefore,
} from '#src/refusal/refusal.ts'

export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

const NOTICES: Record<AdjustmentKind, NoticeKind> = {
  bonus: 'bonus',
  credit: 'adjustment_credit',
  debit: 'adjustment_debit',
}

/** The number of the proposal that booked a deposit which a correction takes back. */
const depositOf = ({ content }: Pick<Proposal, 'content'>) =>
  (content as { deposit?: number }).deposit

/** Of a held deposit that is taken back, the subject is that. */
const isOfHeld = ({ subject }: Pick<Proposal, 'subject'>) => subject.startsWith('held_deposit:')

/** A bonus or a correction. The player is notified of the reason when the money has moved. */
export const ADJUSTMENT: KindRules = {
  changesOf: (proposal) => {
    const amount = amountOf(proposal)
    const deposit = depositOf(proposal)
    const changes = moved(proposal, proposal.kind === 'debit' ? -amount : amount)
    return [
      ...(isOfHeld(proposal) ? changes.slice(0, 1) : changes),
      ...(deposit ? [{ what: 'deposit', before: null, after: String(deposit) }] : []),
    ]
  },

  auditOf: (proposal) => ({
    action: `adjustment_${proposal.state}`,
    subject: `adjustment:${proposal.id}`,
    details: {
      player_id: proposal.playerId,
      kind: proposal.kind,
      amount: formatAmount(amountOf(proposal)),
      reason: proposal.reason,
      proposed_by: proposal.proposedBy,
      ...(depositOf(proposal) && { deposit: depositOf(proposal) }),
      ...(proposal.endReason !== null && { refuse_reason: proposal.endReason }),
    },
  }),

  async notify(tx, proposal) {
    const { playerId, state } = proposal
    if (playerId === null || state !== 'confirmed') return
    const facts = { amount: formatAmount(amountOf(proposal)), reason: proposal.reason ?? '' }
    const kind = depositOf(proposal)
      ? 'deposit_taken_back'
      : NOTICES[proposal.kind as AdjustmentKind]
    await notify(tx, { playerId, kind, facts })
  },

  async refusalOf(tx, word, { id = null, role, ...draft }) {
    const { player_id: playerId } = draft.content as { player_id: number }
    if (word === 'above_role_limit') {
      const { maximum, left } = await tx.one<{ maximum: Amount; left: Amount }>(
        `select coalesce(max(amount_max), 0)::bigint as maximum,
           console_money.adjustment_left($1, $2, $3, $4) as left
         from wallet.adjustment_limit where role = $3`,
        [playerId, id, role, draft.kind],
      )
      return refuse(word, { maximum: formatAmount(maximum), left: formatAmount(left) })
    }
    if (word === 'insufficient_balance') {
      const cash = (await balancesOf(tx, [playerId])).get(playerId)?.cash ?? 0n
      return { ...refuse(word, { left: formatAmount(cash) }), wording: 'above_free_balance' }
    }
    if (word === 'deposit_missing') return malformed({ deposit: 'id' })
    if (word === 'above_deposit') return malformed({ money: 'amount_too_large' })
    if (word === 'part_of_deposit') return malformed({ money: 'whole_deposit' })
    if (word === 'payment_taken') return takenBefore(await denierOf(tx, draft.subject))
    if (word === 'excluded') return { ...refuse(word), wording: 'bonus_excluded' }
    return refuseByWord(word)
  },
}

/**
 * Proposes a bonus or a correction.
 *
 * @param proposal `amount` in micro-units; `reason` is shown to the player after the confirmation; `deposit`: the number
 * of the proposal that booked a deposit by mistake, which a debit takes back: by bank, or an assigned transfer. No limit
 * of a role counts for it, and the amount may lack the decimals after the second. A held one is not released meanwhile
 * @returns the proposal's id, or below_minimum, not_found (no such player), account_closed, excluded (no bonus during a
 * break or a review), insufficient_balance, above_role_limit, already_decided (it was paid back), already_proposed,
 * payment_taken (a held deposit may have been paid back), or invalid_input (no such deposit, more than is left, or a
 * part of what is taken back whole)
 */
export function proposeAdjustment(
  db: Database,
  proposal: Actor & {
    playerId: number
    kind: AdjustmentKind
    amount: Amount
    reason: string
    deposit?: number | undefined
  },
): Promise<{ id: number } | Refusal> {
  const { playerId, amount, deposit, ...rest } = proposal
  return asStaff(db, async (tx) => {
    const booked =
      deposit === undefined ? undefined : await bookedDeposit(tx, { playerId, deposit })
    if (deposit !== undefined && !booked) return malformed({ deposit: 'id' })
    // Of one of which nothing is left the database says why.
    const whole = booked ? booked.left || booked.amount : amount
    const isAll = formatAmountShort(whole) === formatAmountShort(amount)
    const asked = isAll ? whole : amount
    if (asked === 0n) return refuseAmountBelow('0.01')
    const content = {
      player_id: playerId,
      amount: Number(asked),
      ...(deposit !== undefined && { deposit }),
    }
    const held = booked?.heldId
    const subject = held ? `held_deposit:${held}` : `player:${playerId}`
    return propose(tx, ADJUSTMENT, { ...rest, subject, content })
  })
}

/** A deposit of a player that staff booked; `left`: what is left to take back of it, null if it was paid back. */
function bookedDeposit(
  db: Queryable,
  { playerId, deposit }: { playerId: number; deposit: number },
): Promise<{ amount: Amount; left: Amount | null; heldId: bigint | null } | undefined> {
  return db.first(
    `select booked.amount, console_money.left_of_deposit($1, $2, null) as left, held.id as "heldId"
     from deposits.by_persons booked
       left join protection.held_deposit held on held.reference = booked.reference and held.state = 'held'
     where booked.id = $2 and booked.player_id = $1`,
    [playerId, deposit],
  )
}

/** Who had a held deposit to pay it back, and says that he did not. */
function denierOf(db: Queryable, subject: string): Promise<Done | undefined> {
  return db.first<Done>(
    `select name as by, denial.at from staff.payment_denial denial join staff.member on member.id = staff_id
     where subject = $1 order by denial.at limit 1`,
    [subject],
  )
}
