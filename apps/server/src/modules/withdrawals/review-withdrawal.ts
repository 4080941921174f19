/** Decisions of staff on a withdrawal: each is made once, audited, and the player is notified. */
import { formatAmount } from '@sum28/domain/money.ts'
import { callFunction, type Database, type Transaction } from '#src/db/database.ts'
import { payoutReference } from '#src/formats/payment-reference.ts'
import { type NoticeKind, notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import {
  type Actor,
  amountOf,
  type KindRules,
  moved,
  propose,
  proposerOf,
} from '#src/modules/staff/proposal.ts'
import {
  decidedBefore,
  isRefusal,
  malformed,
  type Refusal,
  type RefusalWord,
  refuse,
  refuseByWord,
  takenBefore,
} from '#src/refusal/refusal.ts'
import { payeeText } from './pay-methods.ts'
import { takerOf, type Withdrawal, withdrawalById } from './withdrawal-store.ts'

/**
 * Takes an approved withdrawal to pay it by hand: meanwhile nobody else records it, and no batch has it.
 *
 * @param request `takenFrom`: the name of the person from whom it is taken over
 * @returns null, or payment_taken (by another person), payment_not_taken (by nobody any more), account_frozen,
 *   withdrawal_on_hold, or as {@link recordPayout}
 */
export function takePayment(
  db: Database,
  { id, session, takenFrom }: Review & { takenFrom: string | undefined },
): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await callFunction<'taken' | RefusalWord>(
      ...[tx, 'withdrawals.take_payment', id, takenFrom ?? null, session],
    )
    if (word !== 'taken') return refusalOf(tx, id, word)
    const facts = takenFrom === undefined ? {} : { taken_from: takenFrom }
    await recordDecision(tx, { id, session, action: 'payment_taken', facts })
    return null
  })
}

/**
 * Gives a withdrawal back that the caller has taken and not paid, as he says: another pays it, or releases it.
 *
 * @returns null, or payment_taken (by another person) or payment_not_taken
 */
export function givePaymentBack(db: Database, { id, session }: Review): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await callFunction<'given_back' | RefusalWord>(
      ...[tx, 'withdrawals.give_payment_back', id, session],
    )
    if (word !== 'given_back') return refusalOf(tx, id, word)
    await recordDecision(tx, { id, session, action: 'payment_given_back' })
    return null
  })
}

/** The words for a decision that another person has made before. */
const BY_SOMEBODY: readonly RefusalWord[] = ['decided', 'paid_already', 'reversal_proposed']

export type Review = { id: number; session: string }

/**
 * Approves a withdrawal, or, from the configured amount on, adds the first of two approvals.
 *
 * @returns its present state, or not_found, already_decided, account_frozen, withdrawal_on_hold,
 *   identity_missing or second_person_needed
 */
export function approveWithdrawal(
  db: Database,
  { id, session }: Review,
): Promise<'approved' | 'first_approval' | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await callFunction<'first' | 'approved' | RefusalWord>(
      ...[tx, 'withdrawals.approve', id, session],
    )
    switch (word) {
      case 'first':
        await recordDecision(tx, { id, session, action: 'withdrawal_first_approval' })
        return 'first_approval'
      case 'approved':
        await recordDecision(tx, {
          id,
          session,
          action: 'withdrawal_approved',
          notice: 'withdrawal_approved',
        })
        return 'approved'
      default:
        return refusalOf(tx, id, word)
    }
  })
}

/**
 * Rejects a withdrawal and returns its money.
 *
 * @param why shown to the player
 * @returns null, or not_found or already_decided
 */
export function rejectWithdrawal(
  db: Database,
  { id, session, why }: Review & { why: string },
): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await callFunction<'rejected' | RefusalWord>(
      ...[tx, 'withdrawals.reject', id, session, why],
    )
    if (word !== 'rejected') return refusalOf(tx, id, word)
    await recordDecision(tx, {
      id,
      session,
      action: 'withdrawal_rejected',
      notice: 'withdrawal_rejected',
      facts: { reason: why },
    })
    return null
  })
}

/**
 * Records how an approved withdrawal was paid, by the person who has taken it. The people who approved it may not do
 * this: another person checks the payout.
 *
 * @param payout `reference`: the transaction's or the bank's; valid for one payout. `sentAt`: when it was sent, in
 *   seconds since 1970, of one whose player was frozen or whose account was changed since
 * @returns null, or not_found, not_approved, already_decided, at_bank, reversal_proposed, second_person_needed,
 *   payment_taken, payment_not_taken, account_frozen, withdrawal_on_hold, reference_used, or invalid_input (a payout to a
 *   wallet names the id of its transaction; it was not sent at that time)
 */
export function recordPayout(
  db: Database,
  { id, session, reference, sentAt }: Review & { reference: string; sentAt?: number | undefined },
): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const sent = sentAt === undefined ? null : new Date(sentAt * 1_000)
    const word = await callFunction<'paid' | RefusalWord>(
      ...[tx, 'withdrawals.record_payout', id, session, payoutReference(reference), sent],
    )
    if (word !== 'paid') return refusalOf(tx, id, word)
    const toWallet = (await withdrawalById(tx, id))?.kind === 'wallet'
    await recordDecision(tx, {
      id,
      session,
      action: 'withdrawal_paid',
      facts: { reference, ...(sent && { sent_at: sent.toISOString() }) },
      // Of a payout to a wallet the player is told once the chain shows it.
      ...(!toWallet && { notice: 'withdrawal_paid' }),
    })
    return null
  })
}

const SUBJECT = 'withdrawal:'

/** The return of an approved withdrawal that cannot be paid. */
export const REVERSAL: KindRules = {
  changesOf: (proposal) => moved(proposal, amountOf(proposal)),

  auditOf(proposal) {
    const { subject, state, playerId, reason, endReason } = proposal
    const amount = formatAmount(amountOf(proposal))
    return {
      action: state === 'confirmed' ? 'withdrawal_released' : `withdrawal_reversal_${state}`,
      subject,
      details: { player_id: playerId, amount, reason: endReason ?? reason },
    }
  },

  async notify(tx, { state, subject, reason }) {
    if (state !== 'confirmed') return
    const withdrawal = await withdrawalById(tx, idOf(subject))
    if (!withdrawal) return
    // Earlier transactions may have paid a part.
    const facts = { amount: formatAmount(withdrawal.rest), reason: reason ?? '' }
    await tell(tx, withdrawal, 'withdrawal_reversed', facts)
  },

  refusalOf: (tx, word, { subject }) => refusalOf(tx, idOf(subject), word),
}

function idOf(subject: string): number {
  return Number(subject.slice(SUBJECT.length))
}

/**
 * Proposes to return what was not paid of an approved withdrawal to the player's free balance. Meanwhile it cannot be paid.
 *
 * @param request `reason`: shown to the player after the return
 * @returns null, or not_found, not_approved, already_decided (it is paid, reversed or rejected), at_bank or
 * already_proposed
 */
export function proposeReversal(
  db: Database,
  { id, reason, ...actor }: Actor & { id: number; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const withdrawal = await withdrawalById(tx, id)
    if (!withdrawal) return refuse('not_found', { field: 'id' })
    const { playerId, rest } = withdrawal
    const content = { player_id: playerId, amount: String(rest) }
    const draft = { kind: 'reversal', subject: SUBJECT + id, content, reason } as const
    const made = await propose(tx, REVERSAL, { ...draft, ...actor })
    return isRefusal(made) ? made : null
  })
}

/** Why it was refused; if it is decided or proposed already, by whom. */
export async function refusalOf(tx: Transaction, id: number, word: RefusalWord): Promise<Refusal> {
  if (word === 'not_a_transaction') return malformed({ reference: 'transaction_id' })
  if (word === 'not_its_time') return malformed({ sent_at: 'not_its_time' })
  if (word === 'payment_taken') return takenBefore(await takerOf(tx, SUBJECT + id))
  if (!BY_SOMEBODY.includes(word)) return refuseByWord(word)
  const withdrawal = await withdrawalById(tx, id)
  if (!withdrawal) return refuseByWord('not_found')
  if (word === 'reversal_proposed') {
    const proposed = await proposerOf(tx, { kind: 'reversal', subject: SUBJECT + id })
    return refuseByWord(word, { by: proposed?.by ?? '' })
  }
  // The last person who decided: a withdrawal is approved, and then paid or reversed.
  const { reversedBy, payoutRecordedBy, decidedBy, reversedAt, paidAt, decidedAt } = withdrawal
  return decidedBefore({
    by: reversedBy ?? payoutRecordedBy ?? decidedBy,
    at: reversedAt ?? paidAt ?? decidedAt,
  })
}

/** Writes a decision into the audit log and, if there is a notice for it, sends that. */
export async function recordDecision(
  tx: Transaction,
  decision: Review & { action: string; notice?: NoticeKind; facts?: Record<string, string> },
): Promise<void> {
  const { id, session, action, notice, facts = {} } = decision
  const withdrawal = await withdrawalById(tx, id)
  if (!withdrawal) throw new Error(`the withdrawal ${id} that was decided is gone`)
  if (notice) await tell(tx, withdrawal, notice, facts)
  // Last, because all writers of the log wait for each other.
  await appendAudit(tx, {
    session,
    action,
    subject: SUBJECT + id,
    details: {
      player_id: withdrawal.playerId,
      amount: formatAmount(withdrawal.rest),
      ...facts,
    },
  })
}

async function tell(
  tx: Transaction,
  withdrawal: Withdrawal,
  kind: NoticeKind,
  facts: Record<string, string>,
): Promise<void> {
  const { playerId, amount } = withdrawal
  const values = { amount: formatAmount(amount), payee: payeeText(withdrawal), ...facts }
  const isBack = kind === 'withdrawal_rejected' || kind === 'withdrawal_reversed'
  const closed = `select from accounts.player where id = $1 and state = 'closed'`
  // Nobody can log in to a closed account: only support can pay the money that is back in it.
  const isRest = isBack && (await tx.exists(closed, [playerId]))
  return notify(tx, { playerId, kind: isRest ? 'rest_returned' : kind, facts: values })
}
