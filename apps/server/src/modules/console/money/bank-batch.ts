/** Batches for the bank: made, exported, answered line by line, cancelled; each step in the audit log. */
import { BATCH_MAX } from '@sum28/contract/staff-bank-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { BYTE_ORDER_MARK, csvLine } from '#src/formats/csv.ts'
import { notifyAll } from '#src/modules/inbox/notify.ts'
import {
  type AuditEntry,
  actAsStaff,
  appendAudit,
  appendAudits,
  asStaff,
} from '#src/modules/staff/audit.ts'
import { type PayMethodKind, payeeNumber, payeeText } from '#src/modules/withdrawals/pay-methods.ts'
import { takerOf } from '#src/modules/withdrawals/withdrawal-store.ts'
import {
  decidedBefore,
  isRefusal,
  type Refusal,
  refuse,
  refuseByWord,
  takenBefore,
} from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import * as store from './bank-batch-store.ts'
import { type BankAnswer, FAULTS_MAX, type LineFault, readBankAnswer } from './read-bank-answer.ts'

/**
 * Makes a batch of all approved withdrawals to cards, or to wallets, that are in none, the oldest first.
 *
 * @returns its id and size, and how many it leaves out for each reason; or nothing_to_pay
 */
export function makeBankBatch(
  db: Database,
  { kind, session }: { kind: PayMethodKind; session: string },
): Promise<({ id: number } & Omit<store.Made, 'id'>) | Refusal> {
  return asStaff(db, async (tx) => {
    const made = await store.insertBatch(tx, { paymentsMax: BATCH_MAX, kind, session })
    const { id, payments, ...left } = made
    if (id === null) {
      const refusal = refuse('nothing_to_pay')
      if (Object.values(left).some((count) => count > 0)) {
        return { ...refusal, wording: 'nothing_to_pay_now' }
      }
      return kind === 'wallet' ? { ...refusal, wording: 'nothing_to_pay_wallet' } : refusal
    }
    await auditPayments(tx, { id, session, action: 'bank_payment_sent' })
    await appendAudit(tx, batchEntry({ id, session, action: 'bank_batch_made' }, { payments }))
    return { ...made, id }
  })
}

/**
 * Takes a batch for the caller, and makes the file of its unpaid payments, with whole card numbers. The audit log records
 * it before the first byte is sent.
 *
 * @param request `takenFrom`: the name of the person from whom it is taken over
 * @returns the chunks of the file; or not_found, already_decided if the bank has nothing left to pay, payment_taken (by
 *   another person), payment_not_taken (by nobody any more), second_person_needed (he approved it), or nothing_to_pay: all
 *   players are frozen, or on hold
 */
export async function bankBatchFile(
  deps: { db: Database; cipher: SecretCipher },
  { id, session, takenFrom }: { id: number; session: string; takenFrom: string | undefined },
): Promise<AsyncIterable<string> | Refusal> {
  const kind = await asStaff(deps.db, async (tx) => {
    const payments = await store.paymentsOf(tx, id)
    const { answer, dropped } = await store.takeBatch(tx, { id, takenFrom, session })
    const batch = await store.batchById(tx, id)
    if (!batch) return refuse('not_found', { field: 'id' })
    if (answer === 'decided') return decidedBefore({ by: batch.endedBy, at: batch.endedAt })
    if (answer === 'payment_taken') return takenBefore(await takerOf(tx, `bank_batch:${id}`))
    if (answer === 'nothing_to_pay') return { ...refuse(answer), wording: 'nothing_to_pay_now' }
    if (answer !== 'taken') return refuseByWord(answer)
    const facts = {
      payments: batch.payments,
      amount: formatAmount(batch.amount),
      ...(dropped.length > 0 && { dropped: dropped.map(Number) }),
      ...(takenFrom !== undefined && { taken_from: takenFrom }),
    }
    const out = payments.filter(({ withdrawalId }) => dropped.includes(withdrawalId))
    await appendPayments(tx, { id, session, action: 'bank_payment_dropped' }, out)
    await appendAudit(tx, batchEntry({ id, session, action: 'bank_batch_read' }, facts))
    return batch.kind
  })
  return isRefusal(kind) ? kind : linesOf(deps, id, kind)
}

async function* linesOf(
  deps: { db: Database; cipher: SecretCipher },
  batchId: number,
  kind: PayMethodKind,
): AsyncGenerator<string> {
  const payee = {
    bank: ['holder', 'bank', 'branch_code', 'branch', 'number', 'purpose'],
    wallet: ['address', 'token'],
  }
  yield BYTE_ORDER_MARK + csvLine(['batch', 'withdrawal', 'amount', ...payee[kind]])
  for (const payment of await store.paymentsOf(deps.db, batchId)) {
    // A later file must not contain what is paid already, is in another batch, or is frozen or on hold since.
    if (payment.state !== 'sent' || payment.obstacle) continue
    const number = await payeeNumber(deps, payment.payMethodId)
    const { withdrawalId, label, bankName, branchCode, branchName } = payment
    const purpose = `Withdrawal ${withdrawalId}`
    const to = {
      bank: [label, bankName, branchCode, branchName, number, purpose],
      wallet: [number, 'USDT (TRC20)'],
    }
    yield csvLine([
      ...[String(batchId), String(withdrawalId), formatAmount(payment.amount)],
      ...to[kind],
    ])
  }
}

/** What is wrong with a line, by the database's result for it. */
const PROBLEMS: Record<string, string> = {
  not_in_batch: 'This withdrawal is not in the batch',
  batch_cancelled: 'The batch is cancelled',
  amount_differs: 'The amount is not that of the withdrawal',
  answered_otherwise: 'The bank has answered otherwise of this withdrawal before',
  decided: 'The withdrawal is reversed to the player',
  reversal_proposed: 'The withdrawal is proposed to be reversed to the player',
  paid_already: 'A payout with another reference is recorded already',
  not_a_transaction: 'The reference is not the id of a transaction: 64 digits of 0-9 and a-f',
  reference_used: 'The reference is that of a payment outside of this batch',
}

export type Taken = {
  paid: number
  failed: number
  same: number
  left: number
  /** The sum of what is paid. */
  quantity: string
  /** Of a check: the wrong lines. */
  faults: LineFault[]
}

/** Ends a transaction that was only tried out. */
class OnlyChecked extends Error {
  readonly taken: Taken

  constructor(taken: Taken) {
    super('only checked')
    this.taken = taken
  }
}

/** The database's results for valid lines. */
const RIGHT: readonly string[] = ['paid', 'failed', 'same', 'same_person']

/**
 * Records the bank's answer for a batch: all lines or none. Lines that were recorded before have no effect, and
 * payments that the same person has approved are left for another person. With `check` nothing is recorded, and the
 * answer names all wrong lines.
 *
 * @returns how many were paid, failed, recorded before, and left; or not_found, or bank_file_wrong with the first line
 */
export async function answerBankBatch(
  db: Database,
  request: { id: number; bytes: Uint8Array; session: string; check?: boolean },
): Promise<Taken | Refusal> {
  const payments = await store.paymentsOf(db, request.id)
  const sent = new Map(payments.map((each) => [Number(each.withdrawalId), each.amount]))
  const answers = readBankAnswer(request.bytes, sent)
  if (!Array.isArray(answers)) {
    if (!request.check) return refuse('bank_file_wrong', answers.faults[0])
    return { paid: 0, failed: 0, same: 0, left: 0, quantity: '0.00', faults: answers.faults }
  }
  try {
    return await recordAnswers(db, answers, request)
  } catch (error) {
    if (error instanceof OnlyChecked) return error.taken
    throw error
  }
}

function recordAnswers(
  db: Database,
  answers: BankAnswer[],
  { id, session, check = false }: { id: number; session: string; check?: boolean },
): Promise<Taken | Refusal> {
  return asStaff(db, async (tx) => {
    const results = await store.insertAnswers(tx, { batchId: id, answers, session })
    if (results.length === 0) return refuse('not_found', { field: 'id' })
    const faults = results
      .filter(({ outcome }) => !RIGHT.includes(outcome))
      .map(({ line, outcome }) => ({ line, problem: PROBLEMS[outcome] ?? outcome }))
      .toSorted((one, other) => one.line - other.line)
    if (faults[0] && !check) return refuse('bank_file_wrong', faults[0])
    const payments = await store.paymentsOf(tx, id)
    const of = (word: string) => {
      const ids = results.filter(({ outcome }) => outcome === word).map((row) => row.withdrawalId)
      return payments.filter(({ withdrawalId }) => ids.includes(withdrawalId))
    }
    const [paid, failed] = [of('paid'), of('failed')]
    const taken: Taken = {
      paid: paid.length,
      failed: failed.length,
      same: of('same').length,
      left: of('same_person').length,
      quantity: formatAmount(paid.reduce((sum, { amount }) => sum + amount, 0n)),
      faults: faults.slice(0, FAULTS_MAX),
    }
    if (check) throw new OnlyChecked(taken)
    await notifyOfPayments(tx, { id, session }, paid)
    await appendPayments(tx, { id, session, action: 'bank_payment_failed' }, failed)
    const { faults: _none, quantity: _sum, ...facts } = taken
    await appendAudit(tx, batchEntry({ id, session, action: 'bank_batch_answered' }, facts))
    return taken
  })
}

/** Notifies the players whose withdrawals were paid, and writes each payout into the log. */
async function notifyOfPayments(
  tx: Transaction,
  { id, session }: { id: number; session: string },
  payments: readonly store.Payment[],
): Promise<void> {
  const factsOf = (payment: store.Payment) => ({
    amount: formatAmount(payment.amount),
    reference: payment.reference ?? '',
  })
  await notifyAll(
    tx,
    payments
      // Of a payout to a wallet the player is told once the chain shows it.
      .filter(({ kind }) => kind === 'bank')
      .map((payment) => ({
        playerId: payment.playerId,
        kind: 'withdrawal_paid' as const,
        facts: { ...factsOf(payment), payee: payeeText(payment) },
      })),
  )
  await appendAudits(
    tx,
    session,
    payments.map((payment) => ({
      action: 'withdrawal_paid',
      subject: `withdrawal:${payment.withdrawalId}`,
      details: { player_id: payment.playerId, ...factsOf(payment), batch: id },
    })),
  )
}

/**
 * Cancels a batch that has no answer of the bank.
 *
 * @returns null, or not_found, already_decided, second_person_needed (the person made it) or payment_taken (by another)
 */
export function cancelBankBatch(
  db: Database,
  { id, reason, session }: { id: number; reason: string; session: string },
): Promise<null | Refusal> {
  return actAsStaff(db, {
    call: ['console_money.cancel_batch', id, reason, session],
    done: 'cancelled',
    decider: (tx) => store.batchDecidedBy(tx, id),
    taker: (tx) => takerOf(tx, `bank_batch:${id}`),
    afterwards: (tx) => auditPayments(tx, { id, session, action: 'bank_payment_cancelled' }),
    entry: batchEntry({ id, session, action: 'bank_batch_cancelled' }, { reason }),
  })
}

/**
 * Releases a withdrawal that the bank did not pay for the next batch.
 *
 * @returns null, or not_found, already_decided (also if it was said to be unpaid later than `deniedAt`) or
 *   second_person_needed (the person recorded the bank's answer)
 */
export function releaseBankPayment(
  db: Database,
  { id, deniedAt, session }: { id: number; deniedAt: number; session: string },
): Promise<null | Refusal> {
  return actAsStaff(db, {
    call: ['console_money.release_payment', id, new Date(deniedAt), session],
    done: 'released',
    decider: (tx) => store.paymentDecidedBy(tx, id),
    entry: { session, action: 'bank_payment_released', subject: `withdrawal:${id}`, details: {} },
  })
}

/**
 * Releases all withdrawals of a cancelled batch for the next one.
 *
 * @returns null, or not_found, already_decided or second_person_needed (the person cancelled it)
 */
export function releaseBankBatch(
  db: Database,
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const { answer, released } = await store.releaseBatch(tx, { id, session })
    if (answer === 'decided') return decidedBefore(await store.batchDecidedBy(tx, id))
    if (answer !== 'released') return refuseByWord(answer)
    await auditPayments(tx, { id, session, action: 'bank_payment_released', of: released })
    await appendAudit(tx, batchEntry({ id, session, action: 'bank_batch_released' }, {}))
    return null
  })
}

/** Writes a row of the log for each withdrawal of a batch, or for some of them, so that its player's page shows it. */
async function auditPayments(
  tx: Transaction,
  { id, session, action, of }: Step & { of?: readonly bigint[] },
): Promise<void> {
  const all = await store.paymentsOf(tx, id)
  const chosen = all.filter(({ withdrawalId }) => of?.includes(withdrawalId) ?? true)
  await appendPayments(tx, { id, session, action }, chosen)
}

/** One row of the audit log for each payment, about its withdrawal. */
function appendPayments(
  tx: Transaction,
  { id, session, action }: Step,
  payments: readonly store.Payment[],
): Promise<void> {
  return appendAudits(
    tx,
    session,
    payments.map(({ withdrawalId, playerId, amount, reason }) => ({
      action,
      subject: `withdrawal:${withdrawalId}`,
      details: {
        player_id: playerId,
        amount: formatAmount(amount),
        batch: id,
        ...(reason !== null && { reason }),
      },
    })),
  )
}

type Step = { id: number; session: string; action: string }

function batchEntry({ id, session, action }: Step, details: AuditEntry['details']): AuditEntry {
  return { session, action, subject: `bank_batch:${id}`, details }
}
