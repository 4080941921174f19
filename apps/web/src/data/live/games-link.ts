/**
 * Keeps the games and their past rounds up to date for the whole page: by one stream, and by
 * polling the lobby while there is no stream.
 */
import type { GamesStreamEventName, GamesStreamEvents } from '@sum28/contract/stream.ts'
import { GAMES_STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import type { QueryClient } from '@tanstack/react-query'
import {
  fetchGames,
  GAMES_POLL_MS,
  type Game,
  gameFromWire,
  gamesQuery,
  laterGames,
} from '#src/data/games.ts'
import { keepRoots } from '#src/data/kept-roots.ts'
import type { StreamEvent } from '#src/data/live/event-stream.ts'
import { openStream, readStream } from '#src/data/live/read-stream.ts'
import { runLink } from '#src/data/live/run-link.ts'
import { addStreamedRounds, refetchLatest } from '#src/data/rounds/latest-rounds.ts'
import { pastRoundFromWire } from '#src/data/rounds/past-round.ts'

/** How long the link stays open without subscribers: the next screen often needs it again. */
const LINGER_MS = 2_000

let subscribers = 0
let stop: (() => void) | null = null
let lingering: ReturnType<typeof setTimeout> | undefined

/** Adds a subscriber of the link. Returns a function that removes it. */
export function subscribeToGames(queries: QueryClient): () => void {
  subscribers += 1
  clearTimeout(lingering)
  stop ??= runGamesLink(queries)
  return () => {
    subscribers -= 1
    if (subscribers > 0) return
    lingering = setTimeout(() => {
      stop?.()
      stop = null
    }, LINGER_MS)
  }
}

function runGamesLink(queries: QueryClient): () => void {
  const link = runLink({
    everyMs: GAMES_POLL_MS,
    onStreaming: () => {},
    async runStream({ signal, onBytes, onData }) {
      await readStream(await openStream(GAMES_STREAM_PATH, { signal }), {
        onBytes,
        onEvent: (event, receivedAt) => {
          if (signal.aborted) return
          handleGamesEvent(queries, event, receivedAt)
          onData()
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
      const games = await fetchGames(signal)
      if (!signal.aborted) queries.setQueryData(queryKey, games)
    },
  })
  return link.stop
}

/** Handles one event of the games' stream; unknown events are ignored. */
export function handleGamesEvent(
  queries: QueryClient,
  { name, data }: StreamEvent,
  receivedAt: number,
): void {
  if (name === 'draws') handleDraws(queries, read<'draws'>(data))
  if (name !== 'begin' && name !== 'games') return
  const at = { asOf: receivedAt, receivedAt }
  const received = read<'games'>(data).map((game) => gameFromWire(game, at))
  keepRoots(received.map(({ id, ...round }) => ({ gameId: id, ...round })))
  const { queryKey } = gamesQuery
  if (name === 'begin') {
    queries.setQueryData(queryKey, (known) => laterGames(known, received))
    // Draws of rounds that ended before the stream began may be missing.
    for (const { id } of received) refetchLatest(queries, id)
  } else {
    queries.setQueryData(
      queryKey,
      (known) => known && laterGames(known, withUnchanged(known, received)),
    )
  }
}

/** New results: each comes once, and before the games that name it. */
function handleDraws(queries: QueryClient, draws: GamesStreamEvents['draws']): void {
  for (const gameId of new Set(draws.map(({ game_id }) => game_id))) {
    const received = draws.filter(({ game_id }) => game_id === gameId)
    addStreamedRounds(queries, gameId, received.map(pastRoundFromWire))
  }
}

/** All games, since the stream sends only those that changed. */
function withUnchanged(known: readonly Game[], received: readonly Game[]): Game[] {
  const receivedById = new Map(received.map((game) => [game.id, game]))
  const ids = new Set(known.map(({ id }) => id))
  return [
    ...known.map((game) => receivedById.get(game.id) ?? game),
    ...received.filter(({ id }) => !ids.has(id)),
  ]
}

/** Like every reply, the data is trusted to have the contract's form. */
function read<Name extends GamesStreamEventName>(data: string): GamesStreamEvents[Name] {
  return JSON.parse(data)
}
