import type { Day } from '@sum28/domain/schedule.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Game } from '#src/data/games.ts'
import { useLatestDraws } from '#src/data/live-draws.ts'
import { withLatest } from '#src/data/past-draw.ts'
import { pastDrawsQuery } from '#src/data/past-draws.ts'

/** A game's past rounds, newest first, page by page; those that end while one looks are added. */
export function usePastRounds({ game, day }: { game: Game; day: Day | null }) {
  const queries = useQueryClient()
  const rounds = useInfiniteQuery(pastDrawsQuery({ gameId: game.id, day }))
  const latest = useLatestDraws(game)
  const { data } = rounds

  useEffect(() => {
    const [first, ...rest] = data?.pages ?? []
    if (!data || !first || !latest) return
    const { queryKey } = pastDrawsQuery({ gameId: game.id, day })
    const grown = withLatest(first.list, latest, day)
    if (grown === null) queries.resetQueries({ queryKey, exact: true })
    else if (grown !== first.list) {
      queries.setQueryData(queryKey, { ...data, pages: [{ ...first, list: grown }, ...rest] })
    }
  }, [data, latest, game.id, day, queries])

  return rounds
}
