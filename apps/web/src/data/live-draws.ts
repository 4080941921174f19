import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { roundMark } from '#src/data/asked-game.ts'
import { GAMES_POLL_MS, type Game, gamesQuery } from '#src/data/games.ts'
import type { PastDraw } from '#src/data/past-draw.ts'
import { latestDrawsQuery } from '#src/data/past-draws.ts'

/** The games, asked for again and again, so that a draw is noticed within seconds. */
export function useLiveGames(): UseQueryResult<Game[], Error> {
  return useQuery({ ...gamesQuery, refetchInterval: GAMES_POLL_MS })
}

/** A game's latest rounds, newest first, fetched anew as each round ends; undefined at first. */
export function useLatestDraws(game: Game): readonly PastDraw[] | undefined {
  const latest = useQuery(latestDrawsQuery({ gameId: game.id, mark: roundMark(game) }))
  return latest.data
}
