import type { Amount } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { laterOf } from '#src/data/live/later.ts'
import { type Money, moneyFromWire } from '#src/data/money.ts'
import { profileQuery } from '#src/data/profile.ts'

/** The balance of a screen that has loaded it with other data: the later one of that and the profile's. */
export function useBalance(known: Money): Amount {
  const { data: profile } = useQuery(profileQuery)
  return laterOf(profile && moneyFromWire(profile), known).balance
}
