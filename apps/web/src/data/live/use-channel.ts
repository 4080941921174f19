import { loadChunk } from '@sum28/ui/chunk.ts'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { GAMES_POLL_MS, type Game, gamesQuery } from '#src/data/games.ts'
import { watchReturn } from '#src/data/watch-return.ts'

/** Its code is loaded after the screen. */
const channel = () => loadChunk(() => import('#src/data/live/channel.ts'))

/** Opens the page's channel, except where a room has its own stream. Used once, by the shell. */
export function useChannel({ inRoom }: { inRoom: boolean }): void {
  const queries = useQueryClient()
  useEffect(
    () => (inRoom ? undefined : whenLoaded(({ openChannel }) => openChannel(queries))),
    [inRoom, queries],
  )
}

/**
 * The games, kept up to date: by the page's stream, and by polling while there is no stream. Until the channel's code has
 * come they are polled every four seconds.
 */
export function useLiveGames(): UseQueryResult<Game[], Error> {
  const queries = useQueryClient()
  const [watched, setWatched] = useState(false)
  useEffect(
    () =>
      whenLoaded(({ showGames }) => {
        setWatched(true)
        return showGames(queries)
      }),
    [queries],
  )
  return useQuery({ ...gamesQuery, refetchInterval: watched ? false : GAMES_POLL_MS })
}

/**
 * Begins something once the channel's code has come; if that fails, loads it again when the device is online again or the
 * page is shown again. Returns a function that ends it.
 */
function whenLoaded(begin: (code: Awaited<ReturnType<typeof channel>>) => () => void): () => void {
  let left = false
  let leave = () => {}
  function load() {
    leave()
    channel().then(
      (code) => {
        if (!left) leave = begin(code)
      },
      () => {
        if (!left) leave = watchReturn(load)
      },
    )
  }
  load()
  return () => {
    left = true
    leave()
  }
}
