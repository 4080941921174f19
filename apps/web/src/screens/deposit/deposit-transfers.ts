import type { recharge } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'

/** Money on its way to the player's address, or arrived. */
export type Transfer = ReplyOf<typeof recharge>['transfers'][number]

export const TRANSFER_STEPS = [
  'seen',
  'solid',
  'credited',
] as const satisfies readonly Transfer['status'][]

/** A key for each transfer, the same in every reply; one transaction may hold several transfers. */
export function keyedTransfers(
  transfers: readonly Transfer[],
): { key: string; transfer: Transfer }[] {
  const counts = new Map<string, number>()
  return transfers.map((transfer) => {
    const nth = counts.get(transfer.tx_id) ?? 0
    counts.set(transfer.tx_id, nth + 1)
    return { key: `${transfer.tx_id}:${nth}`, transfer }
  })
}

/** The transfers that are credited in the later reply and were not credited in the earlier one. */
export function newlyCredited(
  before: readonly Transfer[],
  after: readonly Transfer[],
): readonly Transfer[] {
  const earlierKeys = new Set(credited(before).map(({ key }) => key))
  return credited(after)
    .filter(({ key }) => !earlierKeys.has(key))
    .map(({ transfer }) => transfer)
}

function credited(transfers: readonly Transfer[]) {
  return keyedTransfers(transfers).filter(({ transfer }) => transfer.status === 'credited')
}
