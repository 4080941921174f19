import type { ReplyOf } from '@sum28/contract/route.ts'
import type { recharge } from '@sum28/contract/user-routes.ts'

/** Money on its way to the player's address, or arrived. */
export type Transfer = ReplyOf<typeof recharge>['transfers'][number]

/** The transfers that were on their way in one reply and are credited in a later one. */
export function newlyCredited(
  before: readonly Transfer[],
  after: readonly Transfer[],
): readonly Transfer[] {
  const known = new Set(before.filter(isCredited).map((transfer) => transfer.tx_id))
  return after.filter((transfer) => isCredited(transfer) && !known.has(transfer.tx_id))
}

function isCredited({ status }: Transfer): boolean {
  return status === 'credited'
}
