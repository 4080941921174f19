import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { liveProfileQuery } from '#src/data/profile.ts'
import { useInvalidateMoney } from '#src/features/use-invalidate-money.ts'

/**
 * The balance of a screen that has loaded it with other data. It is at most two seconds old; when it has
 * changed, the other data is fetched again.
 *
 * @param known the screen's own value, in micro-units, and when it was loaded, in milliseconds since 1970
 */
export function useBalance(known: { balance: Amount; at: number }): Amount {
  const { data: profile, dataUpdatedAt } = useQuery(liveProfileQuery)
  const newest =
    profile && dataUpdatedAt >= known.at ? amountFromWire(profile.money) : known.balance
  useInvalidateMoney(newest)
  return newest
}
