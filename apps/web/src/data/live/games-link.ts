/**
 * Keeps the games and their past rounds up to date for the whole page: by one stream, and by
 * polling the lobby while there is no stream.
 */
import type { GamesStreamEventName, GamesStreamEvents } from '@sum28/contract/stream.ts'
import { GAMES_STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import type { QueryClient } from '@tanstack/react-query'
import {
  askGames,
  GAMES_POLL_MS,
  type Game,
  gameFromWire,
  gamesQuery,
  laterGames,
} from '#src/data/games.ts'
import type { StreamEvent } from '#src/data/live/event-stream.ts'
import { openStream, readStream } from '#src/data/live/read-stream.ts'
import { runLink } from '#src/data/live/run-link.ts'
import { askForLatest, takeTold } from '#src/data/rounds/latest-rounds.ts'
import { pastRoundFromWire } from '#src/data/rounds/past-round.ts'

/** How long the link stays open without users: the next screen often needs it again. */
const LINGER_MS = 2_000

let joined = 0
let stop: (() => void) | null = null
let lingering: ReturnType<typeof setTimeout> | undefined

/** Adds a user of the link. Returns a function that removes it. */
export function joinGames(queries: QueryClient): () => void {
  joined += 1
  clearTimeout(lingering)
  stop ??= followGames(queries)
  return () => {
    joined -= 1
    if (joined > 0) return
    lingering = setTimeout(() => {
      stop?.()
      stop = null
    }, LINGER_MS)
  }
}

function followGames(queries: QueryClient): () => void {
  const link = runLink({
    everyMs: GAMES_POLL_MS,
    onStreaming: () => {},
    async listen({ signal, onBytes, onTold }) {
      await readStream(await openStream(GAMES_STREAM_PATH, { signal }), {
        onBytes,
        onEvent: (event, receivedAt) => {
          if (signal.aborted) return
          hearGames(queries, event, receivedAt)
          onTold()
        },
      })
    },
    async beat({ signal }) {
      const { queryKey } = gamesQuery
      const state = queries.getQueryState(queryKey)
      if (state?.status !== 'error' || state.data) {
        await queries.refetchQueries({ queryKey, exact: true })
        return
      }
      // Not through the cache: a screen that shows a failure would flicker with each beat.
      const games = await askGames(signal)
      if (!signal.aborted) queries.setQueryData(queryKey, games)
    },
  })
  return link.stop
}

/** Handles one event of the games' stream; unknown events are ignored. */
export function hearGames(
  queries: QueryClient,
  { name, data }: StreamEvent,
  receivedAt: number,
): void {
  if (name === 'draws') hearDraws(queries, read<'draws'>(data))
  if (name !== 'begin' && name !== 'games') return
  const at = { asOf: receivedAt, receivedAt }
  const told = read<'games'>(data).map((game) => gameFromWire(game, at))
  const { queryKey } = gamesQuery
  if (name === 'begin') {
    queries.setQueryData(queryKey, (known) => laterGames(known, told))
    // Rounds that ended before the stream began may be missing.
    for (const { id } of told) askForLatest(queries, id)
  } else {
    queries.setQueryData(queryKey, (known) => known && laterGames(known, withOthers(known, told)))
  }
}

/** New results: each comes once, and before the games that name it. */
function hearDraws(queries: QueryClient, draws: GamesStreamEvents['draws']): void {
  for (const gameId of new Set(draws.map(({ game_id }) => game_id))) {
    const told = draws.filter(({ game_id }) => game_id === gameId)
    takeTold(queries, gameId, told.map(pastRoundFromWire))
  }
}

/** All games, since the stream sends only those that changed. */
function withOthers(known: readonly Game[], told: readonly Game[]): Game[] {
  const toldById = new Map(told.map((game) => [game.id, game]))
  const ids = new Set(known.map(({ id }) => id))
  return [
    ...known.map((game) => toldById.get(game.id) ?? game),
    ...told.filter(({ id }) => !ids.has(id)),
  ]
}

/** Like every reply, the data is trusted to have the contract's form. */
function read<Name extends GamesStreamEventName>(data: string): GamesStreamEvents[Name] {
  return JSON.parse(data)
}
