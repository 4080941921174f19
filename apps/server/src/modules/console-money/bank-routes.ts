import * as wire from '@sum28/contract/staff-bank-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import { payeeText } from '#src/modules/withdrawals/pay-methods.ts'
import { isRefusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import {
  answerBankBatch,
  bankBatchFile,
  cancelBankBatch,
  FILE_MISSING,
  makeBankBatch,
  releaseBankPayment,
} from './bank-batch.ts'
import { type Batch, batchById, batchPage, type Payment, paymentsOf } from './bank-batch-store.ts'

/** Serves the calls of `staff-bank-routes.ts`. */
export function bankRoutes({ db }: Resources): RouteBinding[] {
  return [
    bind(wire.listBankBatches, async ({ input }) => {
      const page = await batchPage(db, input)
      return isRefusal(page) ? page : { list: page.list.map(batchWire), next: page.next }
    }),
    bind(wire.oneBankBatch, async ({ input: { id } }) => {
      const batch = await batchById(db, id)
      if (!batch) return refuse('not_found', { field: 'id' })
      const payments = await paymentsOf(db, { batchId: id, after: 0n, limit: wire.BATCH_MAX })
      return { ...batchWire(batch), list: payments.map(paymentWire) }
    }),
    bind(wire.makeBankBatch, ({ caller }) => makeBankBatch(db, caller.token)),
    bind(wire.answerBankBatch, async ({ input: { id }, file, caller }) =>
      file ? answerBankBatch(db, { id, bytes: file.bytes, session: caller.token }) : FILE_MISSING,
    ),
    bind(wire.cancelBankBatch, ({ input, caller }) =>
      cancelBankBatch(db, { ...input, session: caller.token }),
    ),
    bind(wire.releaseBankPayment, ({ input: { id }, caller }) =>
      releaseBankPayment(db, { id, session: caller.token }),
    ),
  ]
}

/** Serves the file of `staff-bank-routes.ts`. */
export function bankDownloads(deps: Resources): DownloadBinding[] {
  return [
    bindDownload(wire.bankBatchFile, async ({ input: { id }, caller }) => {
      const chunks = await bankBatchFile(deps, { id, session: caller.token })
      return isRefusal(chunks) ? chunks : { name: `bank-batch-${id}.csv`, chunks }
    }),
  ]
}

function batchWire(batch: Batch): wire.BankBatch {
  const { id, state, payments, paid, failed } = batch
  return {
    ...{ id, state, payments, paid, failed },
    quantity: formatAmount(batch.amount),
    made_by: batch.madeBy,
    made_at: unixSeconds(batch.madeAt),
    ended_by: batch.endedBy,
    ended_at: unixSecondsOrNull(batch.endedAt),
    cancel_reason: batch.cancelReason,
  }
}

function paymentWire(payment: Payment): wire.BankPayment {
  const { username, state, reference, reason } = payment
  return {
    ...{ username, state, reference, reason },
    withdrawal_id: Number(payment.withdrawalId),
    user_id: payment.playerId,
    quantity: formatAmount(payment.amount),
    payee: payeeText({ ...payment, kind: 'bank' }),
    answered_by: payment.answeredBy,
    answered_at: unixSecondsOrNull(payment.answeredAt),
    released_by: payment.releasedBy,
  }
}
