import type { Amount } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { laterOf } from '#src/data/live/later.ts'
import type { Money } from '#src/data/money.ts'
import { profileQuery } from '#src/data/profile.ts'
import { useSession } from '#src/data/session-watch.ts'

/** The balance that the page last knew: the profile's, or until it has come, the session's. */
export function useLastKnownBalance(): Amount | string {
  const ofSession = useSession('money')
  const { data: profile } = useQuery(profileQuery)
  return profile?.balance ?? ofSession ?? '0.00'
}

/** The balance of a screen that has loaded it with other data: the later one of that and the profile's. */
export function useBalance(known: Money): Amount {
  return useLaterMoney(known).balance
}

/** The same with what is set aside. */
export function useAssets(known: Money): { all: Amount; held: Amount } {
  const { balance, held = 0n } = useLaterMoney(known)
  return { all: balance + held, held }
}

function useLaterMoney(known: Money): Money {
  const { data: profile } = useQuery(profileQuery)
  return laterOf<Money>(profile, known)
}
