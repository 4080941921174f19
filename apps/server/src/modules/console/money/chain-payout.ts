/**
 * Payouts to wallets, and held deposits that were paid back on the chain: their transactions are read there. A payout is
 * corrected where the chain does not have it; a refund is then a difference of chain and ledger.
 */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { commonSolidHead } from '#src/adapters/chain/chain-watcher.ts'
import type { TronFailure } from '#src/adapters/chain/tron-call.ts'
import type { TransactionInfo, TronNode } from '#src/adapters/chain/tron-node.ts'
import { usdtTransfers } from '#src/adapters/chain/usdt-transfers.ts'
import { callFunction, type Database, type Transaction } from '#src/db/database.ts'
import { payoutReference } from '#src/formats/payment-reference.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { payeeText } from '#src/modules/withdrawals/pay-methods.ts'
import { recordDecision, refusalOf } from '#src/modules/withdrawals/review-withdrawal.ts'
import { type Withdrawal, withdrawalById } from '#src/modules/withdrawals/withdrawal-store.ts'
import type { Log } from '#src/process/log.ts'
import type { Refusal, RefusalWord } from '#src/refusal/refusal.ts'

/** Payouts that one run asks for: a public node answers about fifteen calls a second. */
const READ_MAX = 200

/**
 * How long a transaction may stay valid after it was made. It names a block by two bytes, so that it ends with the 65,536
 * blocks of three seconds after that, or a little later if the chain leaves some out. Its expiration ends nothing before:
 * its signer writes it, and the chain compares it with the time of its inclusion. (TAPOS: `validateTapos` of java-tron)
 */
const VALID_MS = 56 * 3_600_000

/** How far the chain's clock and the database's may be apart: a payment this much before its request is no earlier one. */
const CLOCKS_APART_MS = 600_000

export type PayoutReader = {
  db: Database
  node: TronNode
  /** A node of another operator, which has to say the same. */
  second: TronNode | null
  contract: string
  log: Log
}

/**
 * Reads the transactions of payouts and refunds that are not seen yet. One that is in no solid block stays as it is, and so does one
 * of which the nodes do not say the same. When a node does not answer, the run ends: the deposit watcher asks it too.
 *
 * @returns how many were seen, and how many are wrong
 */
export async function readPayouts(
  deps: PayoutReader,
  signal: AbortSignal,
): Promise<{ seen: number; wrong: number }> {
  const { db, log } = deps
  const counts = { seen: 0, wrong: 0 }
  // In no order, so that transactions which never come do not keep others waiting. A request that is later than its
  // approval or payment was made while the clock was ahead, and its time says nothing; nor does it while clocks are apart.
  const payments = await db.query<Payment>(
    `(select 'withdrawal' as of, withdrawal.id, withdrawal.player_id as "playerId", shown_number as payee,
        withdrawal.amount as whole, rest as amount, payout_reference as reference,
        case when requested_at <= least(decided_at, paid_at, app.now())
          and not (select games.clocks_apart(house) from games.house) then requested_at else 'epoch' end as since,
        paid_at as "paidAt", withdrawals.sent_by(withdrawal) as "sentAt"
      from withdrawals.withdrawal join withdrawals.pay_method on pay_method.id = pay_method_id
      where stage = 'on_chain' order by random() limit $1)
     union all
     (select 'refund', id, held.player_id, coalesce(refund_to, held.from_address), held.amount, held.amount,
        refund_reference, coalesce(block_at, held_at), decided_at,
        case when refund_to is not null then withdrawals.stopped_since(held.player_id, decided_at) end
      from protection.held_deposit held left join deposits.transfer
        on tx_id = split_part(reference, ':', 2) and log_index = app.number_in(split_part(reference, ':', 3))
      where refund_chain = 'awaited' order by random() limit $1)`,
    [READ_MAX],
  )
  if (payments.length === 0) return counts
  // Asked before the transactions: what is in a later block is not absent.
  const head = await commonSolidHead(deps, signal)
  if (!head.ok) {
    failed(deps, head.failure)
    return counts
  }
  const readUntil = head.value.blockTime
  for (const payment of payments) {
    if (signal.aborted) return counts
    const { of, id, reference } = payment
    const verdict = await verdictOf(deps, payment, signal)
    if (verdict === 'failed') return counts
    if (verdict === null) continue
    if (of === 'withdrawal' && verdict === 'absent') {
      // Once that is late enough, it can be paid again.
      if (readUntil !== null)
        await callFunction(db, 'withdrawals.note_absent_payout', id, reference, readUntil)
      continue
    }
    if (!isFinal(verdict, payment, readUntil)) continue
    const { word, fault } = await take(db, payment, verdict)
    if (word === 'stale') continue
    counts[word] += 1
    if (of === 'withdrawal' && word === 'wrong')
      log.warn({ withdrawal: String(id) }, 'the transaction of a payout pays something else')
    if (of === 'refund' && fault !== null)
      log.error({ deposit: String(id), fault }, 'the transaction of a refund is not right')
  }
  return counts
}

/**
 * A transaction that shall pay somebody and is not seen yet: a payout to a wallet, or the refund of a held deposit that
 * came on the chain, to its sender or to the address that was proposed instead.
 */
type Payment = {
  of: 'withdrawal' | 'refund'
  id: bigint
  playerId: number
  payee: string
  amount: Amount
  /** With what earlier transactions paid. */
  whole: Amount
  reference: string
  /** Milliseconds since 1970: an earlier transaction was meant for something else. */
  since: number
  /** When staff named the transaction, in milliseconds since 1970. */
  paidAt: number
  /** By when it must have been sent: before a freeze or a hold, or as was said; in milliseconds since 1970. */
  sentAt: number | null
}

/**
 * `logs`: the transfers of this amount to this payee. `others`: those of other amounts, each as its log and micro-units.
 * `silent`: no transfer, no log of anything else and no failure is named, so the node may have left something out.
 */
type Verdict = {
  logs: number[]
  fault: string | null
  others?: [log: number, amount: string][]
  silent?: true
}

/**
 * Whether a verdict can be taken: that something is not there, only once no transaction of then is valid any more; that it
 * is of before the request, not while that is later than the chain: then the clock is ahead.
 */
function isFinal(
  verdict: Verdict | 'absent',
  { since, paidAt }: Payment,
  readUntil: Date | null,
): boolean {
  if (verdict !== 'absent' && verdict.fault === 'before_request')
    return readUntil !== null && readUntil.getTime() >= since - CLOCKS_APART_MS
  if (verdict !== 'absent' && !verdict.silent) return true
  return readUntil !== null && readUntil.getTime() >= paidAt + VALID_MS
}

/** Records what the chain says, and tells the player of a payment. */
function take(
  db: Database,
  payment: Payment,
  verdict: Verdict | 'absent',
): Promise<{ word: 'seen' | 'wrong' | 'stale'; fault: string | null }> {
  const { of, id, reference } = payment
  const { logs, others = [], ...shown } = verdict === 'absent' ? ABSENT : verdict
  const fault = of === 'refund' ? refundFault(shown.fault, others, payment) : shown.fault
  const call =
    of === 'refund'
      ? ['console_money.take_refund_answer', id, reference, fault]
      : [
          ...['withdrawals.take_chain_answer', id, reference, logs, fault],
          ...[others.map(([log]) => log), others.map(([, amount]) => amount)],
        ]
  return db.transaction(async (tx) => {
    const [name, ...values] = call
    const word = await callFunction<'seen' | 'wrong' | 'stale'>(tx, String(name), ...values)
    if (word === 'seen') await notifyPaid(tx, payment)
    return { word, fault }
  })
}

const ABSENT: Verdict = { logs: [], fault: 'absent' }

const NOTICES = { withdrawal: 'withdrawal_paid', refund: 'deposit_refunded_to' } as const

function notifyPaid(
  tx: Transaction,
  {
    of,
    playerId,
    whole,
    reference,
    payee,
  }: Pick<Payment, 'of' | 'playerId' | 'whole' | 'reference' | 'payee'>,
): Promise<void> {
  const to = payeeText({ kind: 'wallet', shownNumber: payee, bankName: '' })
  const facts = { amount: formatAmount(whole), reference, payee: to }
  return notify(tx, { playerId, kind: NOTICES[of], facts })
}

/** Why a refund is a difference of chain and ledger. One of this amount that left later counts, unlike a payout. */
function refundFault(
  fault: string | null,
  others: NonNullable<Verdict['others']>,
  { amount }: Payment,
): string | null {
  if (fault !== 'sent_later') return fault
  return others.some(([, paid]) => paid === String(amount)) ? fault : 'other_amount'
}

function failed({ log }: PayoutReader, { kind, message }: TronFailure): 'failed' {
  if (kind !== 'stopped') log.warn({ kind }, `chain: ${message}`)
  return 'failed'
}

/**
 * What the nodes say of a payment; `absent` if all say that no solid block has it, `failed` if one does not answer, null
 * if they do not say the same, or not when it was, or if an answer has another form.
 */
async function verdictOf(
  deps: PayoutReader,
  { reference: txId, ...paid }: Payment,
  signal: AbortSignal,
): Promise<Verdict | 'absent' | 'failed' | null> {
  const said: (Verdict | 'absent' | null)[] = []
  for (const node of [deps.node, deps.second]) {
    if (node === null) continue
    const answer = await node.solidTransaction({ txId }, signal)
    if (answer.ok) {
      said.push(judge(answer.value, { ...paid, contract: deps.contract }))
    } else if (answer.failure.kind === 'not_yet') said.push('absent')
    else {
      failed(deps, answer.failure)
      // It may be so of this transaction alone, and for ever.
      return answer.failure.kind === 'malformed' ? null : 'failed'
    }
  }
  const [first, second = first] = said
  if (!first || JSON.stringify(first) === JSON.stringify(second)) return first ?? null
  // One says that it failed, and the other leaves that out.
  const isFailed = (one: (typeof said)[number] | undefined) =>
    typeof one === 'object' && one?.fault === 'failed'
  return isFailed(first) && isFailed(second) ? { logs: [], fault: 'failed', silent: true } : null
}

/** Which logs of a transaction pay this payee this amount since that time; or why none does. Null without its time. */
function judge(
  info: TransactionInfo,
  paid: Pick<Payment, 'amount' | 'payee' | 'since' | 'sentAt'> & { contract: string },
): Verdict | null {
  const { transfers } = usdtTransfers([info], paid.contract)
  const toPayee = transfers.filter(({ to }) => to === paid.payee)
  if (transfers.length === 0) {
    const outcome = info.receipt?.result
    const namesLogs = outcome === 'SUCCESS' && (info.log ?? []).length > 0
    const saysFailed = info.result === 'FAILED' || (outcome && outcome !== 'SUCCESS')
    return { logs: [], fault: 'failed', ...(!namesLogs && !saysFailed && { silent: true }) }
  }
  if (toPayee.length === 0) return { logs: [], fault: 'other_payee' }
  // Of an earlier payment nobody meant this withdrawal. Its approval may be later: a restore undoes it, not the payment.
  if (!info.blockTimeStamp) return null
  if (info.blockTimeStamp < paid.since - CLOCKS_APART_MS)
    return { logs: [], fault: 'before_request' }
  // It left after the freeze or the hold, whatever was said: others decide whether it counts.
  const { sentAt } = paid
  const isLater = sentAt !== null && info.blockTimeStamp > sentAt + CLOCKS_APART_MS
  const right = isLater ? [] : toPayee.filter(({ amountMicro }) => amountMicro === paid.amount)
  const wrong = isLater ? 'sent_later' : 'other_amount'
  return {
    logs: right.map(({ logIndex }) => logIndex),
    fault: right.length === 0 ? wrong : null,
    others: toPayee
      .filter((each) => !right.includes(each))
      .map(({ logIndex, amountMicro }) => [logIndex, String(amountMicro)]),
  }
}

/**
 * Names another transaction for a payout that the chain does not have or that pays something else, or another reference
 * for one by a bank; without one the withdrawal is to be paid again, and of a payment that the bank sent back the
 * player is told.
 *
 * @returns null, or not_found, not_approved, already_decided (also if another payment is named now than `seen`),
 *   second_person_needed, too_early (the transaction may still come), reference_used, or invalid_input
 */
export function correctPayout(
  db: Database,
  request: { id: number; reference: string | null; seen: string; reason: string; session: string },
): Promise<null | Refusal> {
  const { id, seen, reason, session } = request
  const reference = request.reference === null ? null : payoutReference(request.reference)
  return asStaff(db, async (tx) => {
    const paid = await withdrawalById(tx, id)
    const before = paid?.payoutReference ?? ''
    const word = await callFunction<'corrected' | RefusalWord>(
      tx,
      'console_money.correct_payout',
      ...[id, session, reference, seen],
    )
    if (word !== 'corrected') return refusalOf(tx, id, word)
    // He was told that the bank paid it. Of a wallet's he is told once the chain shows it.
    if (paid?.kind === 'bank' && reference === null) await notifySentBack(tx, paid)
    const facts = { before, reason, ...(reference !== null && { reference }) }
    await recordDecision(tx, { id, session, action: 'payout_corrected', facts })
    return null
  })
}

/**
 * Counts what the transaction of a payout paid to its payee, which is another amount: of less, the rest is to be paid; of
 * more, a second person accepts it too, and the player is told that it is paid.
 *
 * @returns what became of it; or not_found, not_approved, already_decided (another transaction is named now, or it pays him
 *   nothing) or second_person_needed
 */
export function acceptPayout(
  db: Database,
  request: { id: number; reference: string; reason: string; session: string },
): Promise<'part' | 'first_approval' | 'accepted' | Refusal> {
  const { id, reason, session } = request
  const reference = payoutReference(request.reference)
  return asStaff(db, async (tx) => {
    const seen = (await withdrawalById(tx, id))?.seenAmount ?? 0n
    const word = await callFunction<'part' | 'first' | 'accepted' | RefusalWord>(
      tx,
      'console_money.accept_payout',
      ...[id, session, reference],
    )
    if (word !== 'part' && word !== 'first' && word !== 'accepted') return refusalOf(tx, id, word)
    const facts = { reference, paid: formatAmount(seen), reason }
    const paid = await withdrawalById(tx, id)
    if (paid && word === 'accepted') {
      const { playerId, amount: whole, shownNumber: payee } = paid
      await notifyPaid(tx, { of: 'withdrawal', playerId, whole, reference, payee })
    }
    await recordDecision(tx, { id, session, action: `payout_${word}`, facts })
    return word === 'first' ? 'first_approval' : word
  })
}

function notifySentBack(tx: Transaction, paid: Withdrawal): Promise<void> {
  const facts = {
    amount: formatAmount(paid.amount),
    payee: payeeText(paid),
    reference: paid.payoutReference ?? '',
  }
  return notify(tx, { playerId: paid.playerId, kind: 'withdrawal_sent_back', facts })
}
