/** Decisions of staff on a withdrawal: each is made once, audited, and the player is notified. */
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { type NoticeKind, notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import {
  decidedBefore,
  malformed,
  proposedBefore,
  type RefusalWord,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import { payeeText } from './pay-methods.ts'
import {
  approve,
  recordPayoutOf,
  reject,
  type Withdrawal,
  withdrawalById,
} from './withdrawal-store.ts'

/** The words for a decision that another person has made before. */
const BY_SOMEBODY: readonly RefusalWord[] = [
  ...(['decided', 'paid_already', 'reversal_proposed', 'already_proposed'] as const),
]

/** The withdrawal, and the acting member. */
export type Review = { id: number; session: string }

/**
 * Approves a withdrawal, or, from the configured amount on, adds the first of two approvals.
 *
 * @returns its present state, or not_found, already_decided, account_frozen or second_person_needed
 */
export function approveWithdrawal(
  db: Database,
  { id, session }: Review,
): Promise<'approved' | 'first_approval' | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await approve(tx, { id, session })
    switch (word) {
      case 'first':
        await done(tx, { id, session, action: 'withdrawal_first_approval' })
        return 'first_approval'
      case 'approved':
        await done(tx, {
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
    const word = await reject(tx, { id, session, reason: why })
    if (word !== 'rejected') return refusalOf(tx, id, word)
    await done(tx, {
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
 * Records how an approved withdrawal was paid. The people who approved it may not do this: another person checks the
 * payout.
 *
 * @param reference the transaction's or the bank's; valid for one payout
 * @returns null, or not_found, not_approved, already_decided, at_bank, reversal_proposed, second_person_needed,
 *   reference_used, or invalid_input (a payout to a wallet names the id of its transaction)
 */
export function recordPayout(
  db: Database,
  { id, session, reference }: Review & { reference: string },
): Promise<Refusal | null> {
  return asStaff(db, async (tx) => {
    const word = await recordPayoutOf(tx, { id, session, reference })
    if (word !== 'paid') return refusalOf(tx, id, word)
    const toWallet = (await withdrawalById(tx, id))?.kind === 'wallet'
    await done(tx, {
      ...{ id, session, action: 'withdrawal_paid', facts: { reference } },
      // Of a payout to a wallet the player is told once the chain shows it.
      ...(!toWallet && { notice: 'withdrawal_paid' }),
    })
    return null
  })
}

/** Why it was refused; if it is decided or proposed already, by whom. */
export async function refusalOf(tx: Transaction, id: number, word: RefusalWord): Promise<Refusal> {
  if (word === 'not_a_transaction') return malformed({ reference: 'transaction_id' })
  if (!BY_SOMEBODY.includes(word)) return refuseByWord(word)
  const withdrawal = await withdrawalById(tx, id)
  if (!withdrawal) return refuseByWord('not_found')
  const { reversalProposedBy: by, reversalProposedAt: at } = withdrawal
  if (word === 'already_proposed') return proposedBefore({ by, at })
  if (word === 'reversal_proposed') return refuseByWord(word, { by: by ?? '' })
  // The last person who decided: a withdrawal is approved, and then paid or reversed.
  const { reversedBy, payoutRecordedBy, decidedBy, reversedAt, paidAt, decidedAt } = withdrawal
  return decidedBefore({
    by: reversedBy ?? payoutRecordedBy ?? decidedBy,
    at: reversedAt ?? paidAt ?? decidedAt,
  })
}

/** Writes a decision into the audit log and, if there is a notice for it, sends that. */
export async function done(
  tx: Transaction,
  decision: Review & { action: string; notice?: NoticeKind; facts?: Record<string, string> },
): Promise<void> {
  const { id, session, action, notice, facts = {} } = decision
  const withdrawal = await withdrawalById(tx, id)
  if (!withdrawal) throw new Error(`the withdrawal ${id} that was decided is gone`)
  const { playerId } = withdrawal
  const amount = formatAmount(withdrawal.amount)
  if (notice) {
    const values = { amount, payee: payee(withdrawal), ...facts }
    await notify(tx, { playerId, kind: notice, facts: values })
  }
  // Last, because all writers of the log wait for each other.
  await appendAudit(tx, {
    session,
    action,
    subject: `withdrawal:${id}`,
    details: { player_id: playerId, amount, ...facts },
  })
}

function payee({ kind, shownNumber, bankName }: Withdrawal): string {
  return payeeText({ kind, shownNumber, bankName })
}
