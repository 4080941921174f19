import * as wire from '@sum28/contract/staff-adjustment-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { listed } from '#src/modules/console/list.ts'
import { wireOf } from '#src/modules/console/wire.ts'
import { refuse } from '#src/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { confirmAdjustment, endAdjustment, proposeAdjustment } from './adjust-balance.ts'
import { adjustmentById, adjustmentLimits, adjustmentPage } from './adjustment-store.ts'

/** Serves the calls of `staff-adjustment-routes.ts`. */
export function adjustmentRoutes({ db, timeZone, now }: Resources): RouteBinding[] {
  return [
    bind(wire.listAdjustments, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await adjustmentPage(db, { ...ask, playerId })),
    ),
    bind(wire.oneAdjustment, async ({ input }) => {
      const adjustment = await adjustmentById(db, input.id)
      return adjustment ? wireOf(adjustment) : refuse('not_found', { field: 'id' })
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
