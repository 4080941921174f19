import * as wire from '@sum28/contract/staff-adjustment-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { isRefusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { confirmAdjustment, endAdjustment, proposeAdjustment } from './adjust-balance.ts'
import {
  type Adjustment,
  adjustmentById,
  adjustmentLimits,
  adjustmentPage,
} from './adjustment-store.ts'

/** Serves the calls of `staff-adjustment-routes.ts`. */
export function adjustmentRoutes({ db, timeZone, now }: Resources): RouteBinding[] {
  return [
    bind(wire.listAdjustments, async ({ input: { user_id: playerId, ...ask } }) => {
      const page = await adjustmentPage(db, { ...ask, playerId })
      return isRefusal(page) ? page : { list: page.list.map(adjustmentWire), next: page.next }
    }),
    bind(wire.oneAdjustment, async ({ input }) => {
      const adjustment = await adjustmentById(db, input.id)
      return adjustment ? adjustmentWire(adjustment) : refuse('not_found', { field: 'id' })
    }),
    bind(wire.adjustmentLimits, async () => {
      const limits = await adjustmentLimits(db)
      return {
        list: limits.map(({ role, amountMax }) => ({ role, quantity: formatAmount(amountMax) })),
      }
    }),
    bind(wire.proposeAdjustment, async ({ input, caller: { token: session, role } }) => {
      const { user_id: playerId, kind, money: amount, reason } = input
      if (amount === 0n) return refuse('below_minimum', { minimum: '0.01' })
      return proposeAdjustment(db, { playerId, kind, amount, reason, session, role })
    }),
    bind(wire.confirmAdjustment, ({ input, caller: { token: session, role } }) =>
      confirmAdjustment({ db, timeZone, now }, { ...input, session, role }),
    ),
    bind(wire.endAdjustment, ({ input, caller }) =>
      endAdjustment(db, { ...input, session: caller.token }),
    ),
  ]
}

function adjustmentWire(adjustment: Adjustment): wire.Adjustment {
  const { username, kind, reason, state } = adjustment
  return {
    ...{ username, kind, reason, state },
    id: Number(adjustment.id),
    user_id: adjustment.playerId,
    quantity: formatAmount(adjustment.amount),
    proposed_by: adjustment.proposedBy,
    proposed_at: unixSeconds(adjustment.proposedAt),
    decided_by: adjustment.decidedBy,
    decided_at: unixSecondsOrNull(adjustment.decidedAt),
    refuse_reason: adjustment.refuseReason,
    balance: formatAmount(adjustment.cash),
  }
}
