/** What a call of the contract answers, for a page that is no list. */
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLogoutIfAccessDenied } from 'react-admin'
import { call, isSessionEnd } from '#src/data/call.ts'

/**
 * Asks, and asks again after each action and at each interval.
 *
 * @param options `everyMs`: how often, for a page that shows what is now
 */
export function useReply<R extends Route>(
  route: R,
  request: RequestOf<R>,
  { everyMs }: { everyMs?: number } = {},
): UseQueryResult<ReplyOf<R>> {
  const leave = useLogoutIfAccessDenied()
  const answer = useQuery<ReplyOf<R>>({
    queryKey: [route.path, request],
    // `undefined` is no answer to the library, and `null` is one.
    queryFn: ({ signal }) => call(route, request, { signal }),
    ...(everyMs && { refetchInterval: everyMs }),
  })
  const { error } = answer
  useEffect(() => {
    if (error && isSessionEnd(error)) void leave(error)
  }, [error, leave])
  return answer
}
