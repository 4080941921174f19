import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { invalidateMoney } from '#src/data/invalidate-money.ts'
import { liveProfileQuery } from '#src/data/profile.ts'

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

/**
 * Invalidates the queries about money when the balance has changed, for example by a bet or a draw.
 *
 * @param balance in micro-units; null while it is not known
 */
export function useInvalidateMoney(balance: Amount | null): void {
  const queries = useQueryClient()
  const before = useRef(balance)
  useEffect(() => {
    if (before.current !== null && before.current !== balance) invalidateMoney(queries)
    before.current = balance
  }, [balance, queries])
}
