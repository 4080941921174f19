import { cand } from '@sum28/contract/lottery-routes.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { type ChartRound, chartRoundFromWire } from '#src/data/chart-round.ts'
import { call } from '#src/data/client.ts'

/** A game's rounds from the latest back; each further page is what ran before the page before it. */
export function chartRoundsQuery(gameId: number) {
  return infiniteQueryOptions({
    queryKey: ['chart-rounds', gameId],
    // It grows by the latest draws, which a screen that shows it adds.
    staleTime: 60_000,
    initialPageParam: null as string | null,
    getNextPageParam: (last: readonly ChartRound[]) => last[0]?.issue ?? undefined,
    queryFn: async ({ pageParam, signal }): Promise<readonly ChartRound[]> => {
      const asked = { game_id: gameId, ...(pageParam && { before: pageParam }) }
      return (await call(cand, asked, { signal })).map(chartRoundFromWire)
    },
  })
}
