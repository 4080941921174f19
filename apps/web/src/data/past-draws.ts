/** Rounds of a game that are over, newest first: page by page, a day's, or the latest few. */
import { issueList } from '@sum28/contract/lottery-routes.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type ListPage, PAGE_SIZE, pageAfter, pageOfReply } from '#src/data/list-page.ts'
import { LATEST_COUNT, type PastDraw, pastDrawFromWire } from '#src/data/past-draw.ts'

type Asked = { gameId: number; day: Day | null }

/** The rounds of a game day, or of all days, page by page. */
export function pastDrawsQuery({ gameId, day }: Asked) {
  return infiniteQueryOptions({
    queryKey: ['past-draws', gameId, day],
    staleTime: 30_000,
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<PastDraw>) => pageAfter(last),
    queryFn: async ({ pageParam, signal }): Promise<ListPage<PastDraw>> => {
      const asked = { page: pageParam, limit: PAGE_SIZE, ...(day && { date: day }) }
      const page = pageOfReply(await call(issueList, { game_id: gameId, ...asked }, { signal }))
      return { ...page, list: page.list.map(pastDrawFromWire) }
    },
  })
}

/** A game day's rounds. The server answers for 480 at most, which is more than 24 hours hold. */
export function dayDrawsQuery({ gameId, day }: { gameId: number; day: Day }) {
  return queryOptions({
    queryKey: ['day-draws', gameId, day],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<readonly PastDraw[]> => {
      const reply = await call(issueList, { game_id: gameId, date: day }, { signal })
      return pageOfReply(reply).list.map(pastDrawFromWire)
    },
  })
}

/** The latest rounds. `mark` is whatever changes as a round ends, and makes it ask anew. */
export function latestDrawsQuery({ gameId, mark }: { gameId: number; mark: string }) {
  return queryOptions({
    queryKey: ['latest-draws', gameId, mark],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }): Promise<readonly PastDraw[]> => {
      const reply = await call(issueList, { game_id: gameId, limit: LATEST_COUNT }, { signal })
      return pageOfReply(reply).list.map(pastDrawFromWire)
    },
  })
}
