/** The player's notices. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type Notices, noticesFromWire } from '#src/data/notices-wire.ts'
import { queryClient } from '#src/data/query-client.ts'

const KEY = ['notices']

/**
 * All notices. The server marks them as read by this call, so it is never repeated automatically,
 * and its answer is kept even if the screen was left meanwhile.
 */
export const noticesQuery = queryOptions({
  queryKey: KEY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  queryFn: async () =>
    noticesFromWire(await call(noticeList, {}), queryClient.getQueryData<Notices>(KEY)),
})

/** Stores that the player has seen the messages: the next visit shows them as read. */
export function markMessagesSeen(): void {
  queryClient.setQueryData<Notices>(KEY, (notices) => notices && { ...notices, seen: true })
}
