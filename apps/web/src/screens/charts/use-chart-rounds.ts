import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ChartPages, withLatestRounds } from '#src/data/chart-round.ts'
import { chartRoundsQuery } from '#src/data/chart-rounds.ts'
import type { Game } from '#src/data/games.ts'
import { useLatestDraws } from '#src/data/live-draws.ts'

/** A game's candles, page by page; the page of the latest ones grows as rounds are drawn. */
export function useChartRounds(game: Game): UseInfiniteQueryResult<ChartPages, Error> {
  const queries = useQueryClient()
  const rounds = useInfiniteQuery(chartRoundsQuery(game.id))
  const latest = useLatestDraws(game)
  const loaded = rounds.data

  useEffect(() => {
    const [newest, ...older] = loaded?.pages ?? []
    if (!loaded || !newest || !latest) return
    const { queryKey } = chartRoundsQuery(game.id)
    const grown = withLatestRounds(newest, latest)
    if (grown === null) queries.resetQueries({ queryKey, exact: true })
    else if (grown !== newest) {
      queries.setQueryData(queryKey, { ...loaded, pages: [grown, ...older] })
    }
  }, [loaded, latest, game.id, queries])

  return rounds
}
