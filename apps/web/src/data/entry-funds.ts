/** The funds that count for an entry limit: cash and unsettled stakes. */
import { orderTotals, userInfo } from '@sum28/contract/user-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { addDays, type Day } from '@sum28/domain/schedule.ts'
import { BET_STATUSES } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'

/**
 * Fetches both. Rejects as `call` does. The stakes are read first, so that a stake settled between
 * the two calls is counted twice rather than not at all.
 *
 * @param today the operator's calendar day; a running round may have begun the day before
 */
export async function fetchEntryFunds(today: Day, signal?: AbortSignal): Promise<Amount> {
  const days = { begin_date: addDays(today, -1), end_date: today }
  const options = signal && { signal }
  const { pending } = await call(
    orderTotals,
    { ...days, status: BET_STATUSES.indexOf('pending') },
    options,
  )
  const { money } = await call(userInfo, {}, options)
  return amountFromWire(pending) + amountFromWire(money)
}
