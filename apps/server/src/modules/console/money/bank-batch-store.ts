/** The SQL of batches for the bank: making, recording answers, and their lists. */
import type * as wire from '@sum28/contract/staff-bank-routes.ts'
import type { Turn } from '@sum28/contract/staff-list.ts'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { payoutReference } from '#src/formats/payment-reference.ts'
import type { PayMethodKind } from '#src/modules/withdrawals/pay-methods.ts'
import { deniedAtOf } from '#src/modules/withdrawals/withdrawal-store.ts'
import type { Done, RefusalWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'
import type { BankAnswer } from './read-bank-answer.ts'

export type Batch = RowOf<wire.BankBatch, 'amount'>

const BATCHES = {
  columns: `batch.id, batch.kind, batch.state, counted.*, maker.name as "madeBy", made_at as "madeAt",
    taker.name as "fileTakenBy", ender.name as "endedBy", ended_at as "endedAt", cancel_reason as "cancelReason"`,
  from: `console_money.bank_batch batch
    join staff.member maker on maker.id = made_by
    left join staff.member ender on ender.id = ended_by
    left join staff.taken_payment on subject = 'bank_batch:' || batch.id
    left join staff.member taker on taker.id = taken_by
    cross join lateral (
      select count(*)::integer as payments, sum(payment.amount)::bigint as amount,
        (count(*) filter (where payment.state = 'paid'))::integer as paid,
        (count(*) filter (where payment.state = 'failed'))::integer as failed
      from console_money.bank_payment payment where payment.batch_id = batch.id) counted`,
  id: { sql: 'batch.id', type: 'bigint' },
} as const

/** Whether an open batch waits for the member $1: he may pay, and did not approve all that is left of it. */
export const BATCH_IS_HIS = `exists (select from console_money.bank_payment unpaid
    join withdrawals.withdrawal on withdrawal.id = unpaid.withdrawal_id
    join staff.member on member.id = $1::integer and member.role in ('owner', 'finance')
  where unpaid.batch_id = batch.id and unpaid.state = 'sent'
    and member.id is distinct from approved_by and member.id is distinct from first_approved_by)`

/** The conditions of what waits for the member $1, or for others. */
const TURNS: Readonly<Record<Turn, string>> = {
  you: `batch.state = 'open' and ${BATCH_IS_HIS}`,
  others: `batch.state = 'open' and not ${BATCH_IS_HIS}`,
}

/** @param ask `staffId`: who asks, of a turn; `q`: the number of a batch, or of a withdrawal in it */
export function batchPage(
  db: Queryable,
  ask: Ask<{
    staffId: number
    turn: Turn
    state: wire.BankBatch['state']
    kind: wire.BankBatch['kind']
    q: string
  }>,
) {
  return pageOf<Batch>(db, { ...BATCHES, values: ask.turn ? [ask.staffId] : [] }, ask, {
    ...(ask.turn && { [TURNS[ask.turn]]: true }),
    'batch.state = ?': ask.state,
    'batch.kind = ?': ask.kind,
    [`(batch.id = app.number_in(?) or batch.id = any (array(
       select batch_id from console_money.bank_payment where withdrawal_id = app.number_in(?))))`]:
      ask.q,
  })
}

export function batchById(db: Queryable, id: number): Promise<Batch | undefined> {
  return oneOf(db, BATCHES, id)
}

export type Payment = RowOf<Omit<wire.BankPayment, 'payee' | 'withdrawal_id'>, 'amount'> & {
  withdrawalId: bigint
  payMethodId: number
  kind: PayMethodKind
  shownNumber: string
  label: string
  bankName: string
  branchCode: string
  branchName: string
}

/** The payments of a batch, in the order of the withdrawals' numbers. @param staffId who asks for its file */
export function paymentsOf(
  db: Queryable,
  batchId: number,
  staffId: number | null = null,
): Promise<Payment[]> {
  return db.query<Payment>(
    `select payment.withdrawal_id as "withdrawalId", withdrawal.player_id as "playerId", username,
       payment.amount, pay_method_id as "payMethodId", pay_method.kind, shown_number as "shownNumber", label,
       bank_name as "bankName", branch_code as "branchCode", branch_name as "branchName",
       payment.state, payment.reference, payment.reason, answerer.name as "answeredBy",
       answered_at as "answeredAt", releaser.name as "releasedBy",
       case when $2::integer in (approved_by, first_approved_by) then 'approved_by_you'
         else withdrawals.obstacle(player) end as obstacle,
       case when payment.state = 'failed' and withdrawal.state <> 'reversed'
         then ${deniedAtOf(`'withdrawal:' || withdrawal.id`)} end as "deniedAt"
     from console_money.bank_payment payment
     join withdrawals.withdrawal on withdrawal.id = payment.withdrawal_id
     join withdrawals.pay_method on pay_method.id = pay_method_id
     join accounts.player on player.id = withdrawal.player_id
     left join staff.member answerer on answerer.id = answered_by
     left join staff.member releaser on releaser.id = released_by
     where batch_id = $1 order by payment.withdrawal_id`,
    [batchId, staffId],
  )
}

type PaymentOfOne = RowOf<wire.PaymentOfOne>

/** The batches that a withdrawal was in, and what was answered of it, the latest first. */
export function paymentsIn(db: Queryable, withdrawalId: number): Promise<PaymentOfOne[]> {
  return db.query<PaymentOfOne>(
    `select batch_id as "batchId", payment.state, reference, reason, answerer.name as "answeredBy",
       answered_at as "answeredAt"
     from console_money.bank_payment payment left join staff.member answerer on answerer.id = answered_by
     where withdrawal_id = $1 order by batch_id desc`,
    [withdrawalId],
  )
}

/** A batch that was made; its id is null if there is nothing to pay. `left…`: what it leaves out, by the reason. */
export type Made = {
  id: number | null
  payments: number
  leftFrozen: number
  leftHeld: number
  leftReversing: number
  leftTaken: number
  leftUnreleased: number
}

/** Makes a batch. */
export function insertBatch(
  tx: Transaction,
  { paymentsMax, kind, session }: { paymentsMax: number; kind: PayMethodKind; session: string },
): Promise<Made> {
  return tx.one<Made>(
    `select batch_id as id, payments, left_frozen as "leftFrozen", left_held as "leftHeld",
       left_reversing as "leftReversing", left_taken as "leftTaken", left_unreleased as "leftUnreleased"
     from console_money.make_batch($1, $2, $3)`,
    [paymentsMax, session, kind],
  )
}

/** Takes a batch for the person of the session; `dropped`: the withdrawals that dropped out of it. */
export function takeBatch(
  tx: Transaction,
  request: { id: number; takenFrom: string | undefined; session: string },
): Promise<{ answer: 'taken' | RefusalWord; dropped: bigint[] }> {
  return tx.one(`select answer, dropped from console_money.take_batch($1, $2, $3)`, [
    ...[request.id, request.takenFrom ?? null, request.session],
  ])
}

/** Releases what is left of a cancelled batch; `released`: these withdrawals. */
export function releaseBatch(
  tx: Transaction,
  { id, session }: { id: number; session: string },
): Promise<{ answer: 'released' | RefusalWord; released: bigint[] }> {
  return tx.one('select answer, released from console_money.release_batch($1, $2)', [id, session])
}

/** The database's result for one answer. */
export type AnswerResult = { line: number; withdrawalId: bigint; outcome: string }

/** Records the answers up to the first wrong one; nothing if there is no such batch. */
export function insertAnswers(
  tx: Transaction,
  request: { batchId: number; answers: readonly BankAnswer[]; session: string },
): Promise<AnswerResult[]> {
  const answers = request.answers.map(({ line, amount, reference, ...answer }) => ({
    ...answer,
    line,
    amount: String(amount),
    reference: reference === null ? null : payoutReference(reference),
  }))
  return tx.query<AnswerResult>(
    `select line, withdrawal_id as "withdrawalId", outcome
     from console_money.answer_batch($1, $2::jsonb, $3)`,
    [request.batchId, JSON.stringify(answers), request.session],
  )
}

/** Who ended a batch, or recorded the first of the bank's answers for an open one, and when. */
export function batchDecidedBy(db: Queryable, id: number): Promise<Done | undefined> {
  return db.first<Done>(
    `select member.name as by, coalesce(ended_at, answered_at) as at from console_money.bank_batch batch
       left join lateral (select answered_by, answered_at from console_money.bank_payment
         where batch_id = batch.id and answered_by is not null order by answered_at, withdrawal_id limit 1) first on true
       left join staff.member on member.id = coalesce(ended_by, answered_by)
     where batch.id = $1`,
    [id],
  )
}

/** Who paid or reversed a withdrawal that the bank did not pay, or released it to the next batch, and when. */
export function paymentDecidedBy(db: Queryable, withdrawalId: number): Promise<Done | undefined> {
  return db.first<Done>(
    `select member.name as by, coalesce(reversed_at, paid_at, released_at) as at from withdrawals.withdrawal asked
       left join lateral (select released_by, released_at from console_money.bank_payment
         where withdrawal_id = asked.id and state = 'failed' order by batch_id desc limit 1) failed on true
       left join staff.member on member.id = coalesce(reversed_by, payout_recorded_by, released_by)
     where asked.id = $1`,
    [withdrawalId],
  )
}
