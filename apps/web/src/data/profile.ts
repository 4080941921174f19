import { userInfo } from '@sum28/contract/user-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { keepProfile } from '#src/data/session-watch.ts'

const REFETCH_MS = 10_000

/** The player's profile with his money; what the session keeps of it is kept anew. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  refetchInterval: REFETCH_MS,
  queryFn: async ({ signal }) => {
    const profile = await call(userInfo, {}, { signal })
    keepProfile(profile)
    return profile
  },
})
