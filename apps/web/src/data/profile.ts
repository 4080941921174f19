import type { Profile } from '@sum28/contract/replies.ts'
import { saveProfile, userInfo } from '@sum28/contract/user-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type Money, withLaterMoney } from '#src/data/money.ts'
import { queryClient } from '#src/data/query-client.ts'
import { keepProfile } from '#src/data/session-watch.ts'

/** The player's profile with his latest known balance; each answer also updates the stored session. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  // A balance that came meanwhile by the stream or with an order's reply stays, if it is the later one.
  structuralSharing: (known, received) =>
    known ? withLaterMoney(known as Profile, received as Profile) : received,
  queryFn: async ({ signal }) => {
    const profile = await call(userInfo, {}, { signal })
    keepProfile(profile)
    return profile
  },
})

/** Takes note of a balance that an event or another reply brought. */
export function learnMoney({ balance, held, version }: Money): void {
  queryClient.setQueryData(profileQuery.queryKey, (known) => {
    if (!known || version <= BigInt(known.version)) return known
    const aside = held === undefined ? known.held : formatAmount(held)
    return { ...known, money: formatAmount(balance), held: aside, version: `${version}` }
  })
}

/** Saves an avatar (`preset:1` … `preset:8`, or the address of an upload) or a document's number. Rejects as `call` does. */
export async function changeProfile(
  change: { avatar: string } | { idcard: string },
): Promise<void> {
  const profile = await call(saveProfile, change)
  keepProfile(profile)
  queryClient.setQueryData(profileQuery.queryKey, profile)
}
