import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { liveProfileQuery } from '#src/data/profile.ts'
import { useMoneyMoved } from '#src/features/use-money-moved.ts'

/**
 * The balance of a screen that has loaded it with other data: within two seconds after a posting. When it has
 * changed, that data is fetched again.
 *
 * @param known what the screen has, in micro-units, and when it was loaded, in milliseconds since 1970
 */
export function useBalance(known: { balance: Amount; at: number }): Amount {
  const { data: profile, dataUpdatedAt } = useQuery(liveProfileQuery)
  const newest =
    profile && dataUpdatedAt >= known.at ? amountFromWire(profile.money) : known.balance
  useMoneyMoved(newest)
  return newest
}
