/** The player's invitation link, and the players invited by it. */
import type { ReplyOf } from '@sum28/contract/route.ts'
import { invitees } from '@sum28/contract/user-routes.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { PAGE_SIZE, pageAfter } from '#src/data/list-page.ts'

export type InviteePage = ReplyOf<typeof invitees>

/** The link, and the invited players, newest first, page by page. */
export const inviteesQuery = infiniteQueryOptions({
  queryKey: ['invitees'],
  initialPageParam: 1,
  queryFn: ({ pageParam, signal }) =>
    call(invitees, { page: pageParam, limit: PAGE_SIZE }, { signal }),
  getNextPageParam: pageAfter,
})
