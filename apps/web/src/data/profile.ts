import { userInfo } from '@sum28/contract/user-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
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

/** The profile for screens that show the balance: within two seconds after it has changed. */
export const liveProfileQuery = { ...profileQuery, refetchInterval: BALANCE_POLL_MS }
