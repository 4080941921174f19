/**
 * Watches the games for all that a page shows of them: by one stream, and by asking the lobby where
 * there is none.
 */
import { i18n } from '@lingui/core'
import type { GamesStreamEventName, GamesStreamEvents } from '@sum28/contract/stream.ts'
import { GAMES_STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { StreamEvent } from '#src/data/event-stream.ts'
import { followLink } from '#src/data/follow-link.ts'
import { askGames, GAMES_POLL_MS, gameFromWire, gamesQuery } from '#src/data/games.ts'
import { drawsTold, gamesBegan, gamesTold } from '#src/data/games-news.ts'
import { lineBase } from '#src/data/lines.ts'
import { readStream } from '#src/data/read-stream.ts'

/** After the last has left it goes on for a while: the next screen is often one that joins. */
const LINGER_MS = 2_000

let joined = 0
let stop: (() => void) | null = null
let lingering: ReturnType<typeof setTimeout> | undefined

/** Joins those for whom the games are watched; gives what leaves them. */
export function joinGames(queries: QueryClient): () => void {
  joined += 1
  clearTimeout(lingering)
  stop ??= watchGames(queries)
  return () => {
    joined -= 1
    if (joined > 0) return
    lingering = setTimeout(() => {
      stop?.()
      stop = null
    }, LINGER_MS)
  }
}

/** Watches until it is stopped; not while the page is hidden. */
function watchGames(queries: QueryClient): () => void {
  const watch = followLink({
    everyMs: GAMES_POLL_MS,
    onStreaming: () => {},
    async listen({ signal, onLife, onTold }) {
      const query = new URLSearchParams({ host: location.host, lang: i18n.locale || 'en' })
      const response = await fetch(`${lineBase()}${GAMES_STREAM_PATH}?${query}`, {
        headers: { Accept: 'text/event-stream' },
        credentials: 'same-origin',
        cache: 'no-store',
        signal,
      })
      await readStream(response, {
        onLife,
        onEvent: (event, receivedAt) => {
          if (signal.aborted) return
          hearGames(queries, event, receivedAt)
          onTold()
        },
      })
    },
    async beat(signal) {
      const { queryKey } = gamesQuery
      const state = queries.getQueryState(queryKey)
      if (state?.status !== 'error' || state.data) {
        await queries.refetchQueries({ queryKey, exact: true })
        return
      }
      // Asked through the cache, a screen that says that it failed would blink with each beat.
      const games = await askGames(signal)
      if (!signal.aborted) queries.setQueryData(queryKey, games)
    },
  })
  return watch.stop
}

/** Takes one event of the games' stream; one that this version does not know is passed over. */
export function hearGames(
  queries: QueryClient,
  { name, data }: StreamEvent,
  receivedAt: number,
): void {
  if (name === 'draws') drawsTold(queries, read<'draws'>(data))
  if (name !== 'begin' && name !== 'games') return
  const games = read<'games'>(data).map((game) => gameFromWire(game, receivedAt))
  if (name === 'begin') gamesBegan(queries, games)
  else gamesTold(queries, games)
}

/** As with every reply: what the server says is taken for what the contract names. */
function read<Name extends GamesStreamEventName>(data: string): GamesStreamEvents[Name] {
  return JSON.parse(data)
}
