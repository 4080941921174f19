/** The funds that count for an entry limit: cash and unsettled stakes. */
import { orderTotals, userInfo } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { BET_STATUSES } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'
import { daysAgo } from '#src/data/game-zone.ts'

/**
 * Fetches both. Rejects as `call` does. The stakes are read first, so that a stake settled between
 * the two calls is counted twice rather than not at all.
 */
export async function fetchEntryFunds(signal?: AbortSignal): Promise<Amount> {
  // A running round may have begun the day before.
  const days = { begin_date: daysAgo(1) }
  const options = signal && { signal }
  const { pending } = await call(
    orderTotals,
    { ...days, status: BET_STATUSES.indexOf('pending') },
    options,
  )
  const { money } = await call(userInfo, {}, options)
  return amountFromWire(pending) + amountFromWire(money)
}
