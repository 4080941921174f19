import * as wire from '@sum28/contract/staff-bank-routes.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import { payeeText } from '#src/modules/withdrawals/pay-methods.ts'
import { takerOf } from '#src/modules/withdrawals/withdrawal-store.ts'
import { isRefusal, malformed, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSecondsOrNull, wireOf } from '#src/wire-form.ts'
import {
  answerBankBatch,
  bankBatchFile,
  cancelBankBatch,
  makeBankBatch,
  releaseBankBatch,
  releaseBankPayment,
} from './bank-batch.ts'
import { batchById, batchPage, type Payment, paymentsIn, paymentsOf } from './bank-batch-store.ts'
import { acceptPayout, correctPayout } from './chain-payout.ts'

export function bankRoutes({ db }: Resources): RouteBinding[] {
  return [
    bindList(db, wire.listBankBatches, async (db, input, { staffId }) =>
      wirePage(await batchPage(db, { ...input, staffId })),
    ),
    bind(wire.oneBankBatch, async ({ input: { id }, caller: { staffId } }) => {
      const batch = await batchById(db, id)
      if (!batch) return refuse('not_found', { field: 'id' })
      const payments = await paymentsOf(db, id, staffId)
      const taken = await takerOf(db, `bank_batch:${id}`)
      return {
        ...wireOf(batch),
        list: payments.map(paymentWire),
        file_taken_at: unixSecondsOrNull(taken?.at ?? null),
        file_taker_left: taken?.left ?? false,
      }
    }),
    bind(wire.makeBankBatch, async ({ input: { kind = 'bank' }, caller }) => {
      const made = await makeBankBatch(db, { kind, session: caller.token })
      return isRefusal(made) ? made : wireOf(made)
    }),
    bind(wire.answerBankBatch, async ({ input: { id, check }, file, caller }) => {
      if (!file) return malformed({ file: 'required' })
      const request = { id, bytes: file.bytes, session: caller.token }
      return answerBankBatch(db, { ...request, check: check !== undefined })
    }),
    bind(wire.withdrawalPayments, async ({ input: { id } }) => ({
      list: (await paymentsIn(db, id)).map((payment) => wireOf(payment)),
    })),
    bind(wire.cancelBankBatch, ({ input, caller }) =>
      cancelBankBatch(db, { ...input, session: caller.token }),
    ),
    bind(wire.correctPayout, ({ input, caller }) =>
      correctPayout(db, { ...input, seen: input.seen_reference, session: caller.token }),
    ),
    bind(wire.reopenPayout, ({ input: { seen_reference: seen, ...input }, caller }) =>
      correctPayout(db, { ...input, seen, reference: null, session: caller.token }),
    ),
    bind(wire.acceptPayout, async ({ input, caller, extras }) => {
      const state = await acceptPayout(db, { ...input, session: caller.token })
      if (isRefusal(state)) return state
      if (state === 'first_approval') extras.say('success.first_approval')
      return { state }
    }),
    bind(wire.releaseBankBatch, ({ input: { id }, caller }) =>
      releaseBankBatch(db, { id, session: caller.token }),
    ),
    bind(wire.releaseBankPayment, ({ input: { id, denied_at: at }, caller }) =>
      releaseBankPayment(db, { id, deniedAt: at * 1_000, session: caller.token }),
    ),
  ]
}

export function bankDownloads(deps: Resources): DownloadBinding[] {
  return [
    bindDownload(wire.bankBatchFile, async ({ input: { id, taken_from: takenFrom }, caller }) => {
      const chunks = await bankBatchFile(deps, { id, takenFrom, session: caller.token })
      return isRefusal(chunks) ? chunks : { name: `batch-${id}.csv`, chunks }
    }),
  ]
}

function paymentWire({ kind, shownNumber, bankName, ...payment }: Payment): wire.BankPayment {
  const {
    payMethodId: _id,
    label: _label,
    branchCode: _code,
    branchName: _name,
    ...shown
  } = payment
  return { ...wireOf(shown), payee: payeeText({ kind, shownNumber, bankName }) }
}
