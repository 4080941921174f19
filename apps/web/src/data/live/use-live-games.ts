import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { GAMES_POLL_MS, type Game, gamesQuery } from '#src/data/games.ts'

/**
 * The games, kept up to date: by one stream for the whole page, and by polling every four seconds
 * while there is no stream. The stream's code is loaded after the screen; until then the games are
 * polled.
 */
export function useLiveGames(): UseQueryResult<Game[], Error> {
  const queries = useQueryClient()
  const [watched, setWatched] = useState(false)
  useEffect(() => {
    let left = false
    let leave = () => {}
    import('#src/data/live/games-link.ts').then(
      ({ subscribeToGames }) => {
        if (left) return
        leave = subscribeToGames(queries)
        setWatched(true)
      },
      () => {},
    )
    return () => {
      left = true
      leave()
    }
  }, [queries])
  return useQuery({ ...gamesQuery, refetchInterval: watched ? false : GAMES_POLL_MS })
}
