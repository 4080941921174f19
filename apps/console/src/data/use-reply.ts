/** The reply of a call of the contract, for a page without a list. */
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLogoutIfAccessDenied } from 'react-admin'
import { call, isSessionEnd } from '#src/data/call.ts'

/**
 * Fetches the reply, and again after each action and at each interval.
 *
 * @param options `everyMs`: the interval, for a page with live data; or the interval after a reply, null: nothing more
 *   is to come
 */
export function useReply<R extends Route>(
  route: R,
  request: RequestOf<R>,
  { everyMs }: { everyMs?: number | ((reply: ReplyOf<R> | undefined) => number | null) } = {},
): UseQueryResult<ReplyOf<R>> {
  const leave = useLogoutIfAccessDenied()
  const answer = useQuery<ReplyOf<R>>({
    queryKey: [route.path, request],
    // The library accepts `null` as data, but not `undefined`.
    queryFn: ({ signal }) => call(route, request, { signal }),
    ...(everyMs && {
      refetchInterval: ({ state: { data } }) =>
        typeof everyMs === 'number' ? everyMs : (everyMs(data) ?? false),
    }),
  })
  const { error } = answer
  useEffect(() => {
    if (error && isSessionEnd(error)) void leave(error)
  }, [error, leave])
  return answer
}
