import * as wire from '@sum28/contract/staff-money-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import { isRefusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { adjustmentRoutes } from './adjustment-routes.ts'
import { bankDownloads, bankRoutes } from './bank-routes.ts'
import { booksRoutes } from './books-routes.ts'
import { type HeldDeposit, heldDepositById, heldDepositPage } from './held-deposit-store.ts'
import { confirmReturn, proposeReturn, refuseReturn } from './return-deposit.ts'

/** Serves the calls of `staff-money-routes.ts`. */
export function consoleMoneyRoutes(deps: Resources): RouteBinding[] {
  const { db, timeZone, now } = deps
  return [
    ...adjustmentRoutes(deps),
    ...bankRoutes(deps),
    ...booksRoutes(deps),
    bind(wire.listHeldDeposits, async ({ input: { user_id: playerId, ...ask } }) => {
      const page = await heldDepositPage(db, { ...ask, playerId })
      return isRefusal(page) ? page : { list: page.list.map(heldWire), next: page.next }
    }),
    bind(wire.oneHeldDeposit, async ({ input }) => {
      const deposit = await heldDepositById(db, input.id)
      return deposit ? heldWire(deposit) : refuse('not_found', { field: 'id' })
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

function heldWire(deposit: HeldDeposit): wire.HeldDeposit {
  const { by, origin, reference, because, state, username, reason } = deposit
  return {
    ...{ by, origin, reference, because, state, username, reason },
    id: Number(deposit.id),
    user_id: deposit.playerId,
    quantity: formatAmount(deposit.amount),
    held_at: unixSeconds(deposit.heldAt),
    proposed_by: deposit.proposedBy,
    proposed_at: unixSecondsOrNull(deposit.proposedAt),
    decided_by: deposit.decidedBy,
    decided_at: unixSecondsOrNull(deposit.decidedAt),
    return_reference: deposit.returnReference,
  }
}

/** Serves the files of `staff-money-routes.ts`. */
export function consoleMoneyDownloads(deps: Resources): DownloadBinding[] {
  return bankDownloads(deps)
}
