import * as wire from '@sum28/contract/staff-money-routes.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import { listed } from '#src/modules/console/list.ts'
import { wireOf } from '#src/modules/console/wire.ts'
import { refuse } from '#src/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { adjustmentRoutes } from './adjustment-routes.ts'
import { bankDownloads, bankRoutes } from './bank-routes.ts'
import { booksRoutes } from './books-routes.ts'
import { heldDepositById, heldDepositPage } from './held-deposit-store.ts'
import { confirmReturn, proposeReturn, refuseReturn } from './return-deposit.ts'

/** Serves the calls of `staff-money-routes.ts`. */
export function moneyRoutes(deps: Resources): RouteBinding[] {
  const { db, timeZone, now } = deps
  return [
    ...adjustmentRoutes(deps),
    ...bankRoutes(deps),
    ...booksRoutes(deps),
    bind(wire.listHeldDeposits, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await heldDepositPage(db, { ...ask, playerId })),
    ),
    bind(wire.oneHeldDeposit, async ({ input }) => {
      const deposit = await heldDepositById(db, input.id)
      return deposit ? wireOf(deposit) : refuse('not_found', { field: 'id' })
    }),
    bind(wire.proposeReturn, ({ input, caller }) =>
      proposeReturn(db, { ...input, session: caller.token }),
    ),
    bind(wire.confirmReturn, ({ input, caller }) =>
      confirmReturn({ db, timeZone, now }, { ...input, session: caller.token }),
    ),
    bind(wire.refuseReturn, ({ input, caller }) =>
      refuseReturn(db, { ...input, session: caller.token }),
    ),
  ]
}

/** Serves the files of `staff-money-routes.ts`. */
export function moneyDownloads(deps: Resources): DownloadBinding[] {
  return bankDownloads(deps)
}
