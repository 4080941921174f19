/** Bonuses and corrections of balances: proposed by one person, confirmed by another. */
import type { ADJUSTMENT_KINDS } from '@sum28/contract/staff-proposal-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
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
import { malformed, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'

export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

const NOTICES: Record<AdjustmentKind, NoticeKind> = {
  bonus: 'bonus',
  credit: 'adjustment_credit',
  debit: 'adjustment_debit',
}

/** The number of the bank deposit that a correction takes back. */
const depositOf = ({ content }: Pick<Proposal, 'content'>) =>
  (content as { deposit?: number }).deposit

const playerOf = ({ subject }: Pick<Proposal, 'subject'>) => Number(subject.slice('player:'.length))

/** A bonus or a correction. The player is notified of the reason when the money has moved. */
export const ADJUSTMENT: KindRules = {
  changesOf: (proposal) => {
    const amount = amountOf(proposal)
    const deposit = depositOf(proposal)
    return [
      ...moved(proposal, proposal.kind === 'debit' ? -amount : amount),
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
    if (proposal.state !== 'confirmed') return
    const facts = { amount: formatAmount(amountOf(proposal)), reason: proposal.reason ?? '' }
    const kind = NOTICES[proposal.kind as AdjustmentKind]
    await notify(tx, { playerId: playerOf(proposal), kind, facts })
  },

  async refusalOf(tx, word, { id = null, role, ...draft }) {
    const playerId = playerOf(draft)
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
    if (word === 'excluded') return { ...refuse(word), wording: 'bonus_excluded' }
    return refuseByWord(word)
  },
}

/**
 * Proposes a bonus or a correction.
 *
 * @param proposal `amount` in micro-units; `reason` is shown to the player after the confirmation; `deposit`: the number
 * of the bank deposit that a debit takes back, for which no limit of a role counts
 * @returns the proposal's id, or not_found (no such player), account_closed, excluded (no bonus during a break or a
 * review), insufficient_balance, above_role_limit, or invalid_input (no such deposit, or more than is left of it)
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
  const content = { amount: Number(amount), ...(deposit !== undefined && { deposit }) }
  const draft = { ...rest, subject: `player:${playerId}`, content }
  return asStaff(db, (tx) => propose(tx, ADJUSTMENT, draft))
}
