import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { GAMES_POLL_MS, type Game, gamesQuery } from '#src/data/games.ts'

/**
 * The games, kept as they are now: by the stream that all of a page share, and by asking every four
 * seconds where there is none. What follows the stream is fetched once the screen is there; until
 * then, or where it cannot be had, the games are asked for.
 */
export function useLiveGames(): UseQueryResult<Game[], Error> {
  const queries = useQueryClient()
  const [watched, setWatched] = useState(false)
  useEffect(() => {
    let left = false
    let leave = () => {}
    import('#src/data/live/games-link.ts').then(
      ({ joinGames }) => {
        if (left) return
        leave = joinGames(queries)
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
