import { saveProfile, userInfo } from '@sum28/contract/user-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { queryClient } from '#src/data/query-client.ts'
import { keepProfile } from '#src/data/session-watch.ts'

const REFETCH_MS = 10_000

/** A posting is shown within two seconds, with up to 0.25 s for a call and its answer: docs/standards.md, row G1. */
const BALANCE_POLL_MS = 1_500

/** The player's profile with his money; each answer also updates the stored session. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  refetchInterval: REFETCH_MS,
  queryFn: async ({ signal }) => {
    const profile = await call(userInfo, {}, { signal })
    keepProfile(profile)
    return profile
  },
})

/** Saves an avatar (`preset:1` … `preset:8`, or the address of an upload) or a document's number. Rejects as `call` does. */
export async function changeProfile(
  change: { avatar: string } | { idcard: string },
): Promise<void> {
  const profile = await call(saveProfile, change)
  keepProfile(profile)
  queryClient.setQueryData(profileQuery.queryKey, profile)
}

/** The profile for screens that show the balance: within two seconds after it has changed. */
export const liveProfileQuery = { ...profileQuery, refetchInterval: BALANCE_POLL_MS }
