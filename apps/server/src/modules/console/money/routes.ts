import * as wire from '@sum28/contract/staff-money-routes.ts'
import * as proposals from '@sum28/contract/staff-proposal-routes.ts'
import * as reserves from '@sum28/contract/staff-reserve-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import { malformed, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import { proposeAdjustment } from './adjust-balance.ts'
import { proposeBankBalance } from './bank-balance.ts'
import { bankDownloads, bankRoutes } from './bank-routes.ts'
import { booksDownloads, booksRoutes } from './books-routes.ts'
import {
  correctRefund,
  giveRefundBack,
  heldDepositById,
  heldDepositPage,
  proposeRefund,
  releaseRefund,
  returnRefund,
  takeRefund,
} from './refund-deposit.ts'

export function moneyRoutes(deps: Resources & { usdtContract: string }): RouteBinding[] {
  const { db, timeZone, now } = deps
  return [
    bind(proposals.adjustmentLimits, async () => {
      const limits = await db.query<{ role: string; amount: Amount }>(
        'select role, amount_max as amount from wallet.adjustment_limit order by amount_max, role',
      )
      return { list: limits.map(wireOf) }
    }),
    bind(proposals.proposeAdjustment, async ({ input, caller: { token: session, role } }) => {
      const { user_id: playerId, kind, money: amount, reason, deposit } = input
      if (deposit && kind !== 'debit') return malformed({ deposit: 'choice' })
      return proposeAdjustment(db, { playerId, kind, amount, reason, deposit, session, role })
    }),
    ...bankRoutes(deps),
    bind(reserves.proposeBankBalance, ({ input, caller: { token: session, role } }) => {
      const { money: amount, ...statement } = input
      const today = dayOf(timeZone, now())
      return proposeBankBalance(db, { ...statement, amount, today, session, role })
    }),
    ...booksRoutes(deps),
    bindList(db, wire.listHeldDeposits, async (db, { user_id: playerId, ...ask }, { staffId }) =>
      wirePage(await heldDepositPage(db, { ...ask, playerId, staffId })),
    ),
    bind(wire.oneHeldDeposit, async ({ input }) => {
      const deposit = await heldDepositById(db, input.id)
      return deposit ? wireOf(deposit) : refuse('not_found', { field: 'id' })
    }),
    bind(wire.takeRefund, ({ input: { id, taken_from: takenFrom }, caller: { token: session } }) =>
      takeRefund(db, { id, takenFrom, session }),
    ),
    bind(wire.giveRefundBack, ({ input, caller: { token: session } }) =>
      giveRefundBack(db, { ...input, session }),
    ),
    bind(wire.releaseRefund, ({ input, caller: { token: session } }) =>
      releaseRefund(db, { ...input, deniedAt: input.denied_at * 1_000, session }),
    ),
    bind(wire.correctRefund, ({ input, caller: { token: session } }) =>
      correctRefund(db, { ...input, seen: input.seen_reference, session }),
    ),
    bind(wire.returnRefund, ({ input, caller: { token: session } }) =>
      returnRefund(db, { ...input, seen: input.seen_reference, session }),
    ),
    bind(wire.proposeRefund, ({ input, caller: { token: session, role } }) =>
      proposeRefund(deps, { ...input, session, role }),
    ),
  ]
}

export function moneyDownloads(deps: Resources): DownloadBinding[] {
  return [...bankDownloads(deps), ...booksDownloads(deps)]
}
