/**
 * Lists of a game's past rounds as the server sent them: pages, days and candles. `use-rounds.ts`
 * joins them with the latest rounds.
 */
import { cand } from '@sum28/contract/lottery-routes.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type ListPage, PAGE_SIZE, pageAfter } from '#src/data/list-page.ts'
import { type ChartRound, chartRoundFromWire } from '#src/data/rounds/candles.ts'
import { fetchRounds } from '#src/data/rounds/fetch-rounds.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'

/** The rounds of a game day, or of all days, page by page. */
export function roundPagesQuery({ gameId, day }: { gameId: number; day: Day | null }) {
  return infiniteQueryOptions({
    queryKey: ['rounds', gameId, 'pages', day],
    staleTime: 30_000,
    initialPageParam: 1,
    getNextPageParam: (last: ListPage<PastRound>) => pageAfter(last),
    queryFn: ({ pageParam, signal }) =>
      fetchRounds(gameId, { page: pageParam, limit: PAGE_SIZE, ...(day && { date: day }) }, signal),
  })
}

/** A game day's rounds. The server answers for 480 at most, which is more than 24 hours hold. */
export function dayRoundsQuery({ gameId, day }: { gameId: number; day: Day }) {
  return queryOptions({
    queryKey: ['rounds', gameId, 'day', day],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<readonly PastRound[]> =>
      (await fetchRounds(gameId, { date: day }, signal)).list,
  })
}

/** A game's candles, from the latest back, page by page. */
export function candlesQuery(gameId: number) {
  return infiniteQueryOptions({
    queryKey: ['rounds', gameId, 'candles'],
    staleTime: 60_000,
    initialPageParam: null as string | null,
    getNextPageParam: (last: readonly ChartRound[]) => last[0]?.issue ?? undefined,
    queryFn: async ({ pageParam, signal }): Promise<readonly ChartRound[]> => {
      const request = { game_id: gameId, ...(pageParam && { before: pageParam }) }
      return (await call(cand, request, { signal })).map(chartRoundFromWire)
    },
  })
}
