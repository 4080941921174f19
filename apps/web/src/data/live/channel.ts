/**
 * The page's one connection to the server: the games with their past rounds, and what is the player's own. While there is
 * no stream, what is shown of both is polled.
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
import { refetchOwn } from '#src/data/live/own-events.ts'
import { runOwnStream } from '#src/data/live/own-stream.ts'
import type { StreamEvent } from '#src/data/live/read-stream.ts'
import { runLink } from '#src/data/live/run-link.ts'
import { addStreamedRounds } from '#src/data/rounds/latest-rounds.ts'
import { pastRoundFromWire } from '#src/data/rounds/past-round.ts'
import { refetchLatest } from '#src/data/rounds/refetch-rounds.ts'
import { currentSession, watchSession } from '#src/data/session-watch.ts'

/** How long the stream stays open when no screen shows the games any more and nobody is signed in. */
const LINGER_MS = 2_000

/** How often the balance is asked for without a stream: a posting shows within two seconds (docs/standards.md, row G1). */
const BALANCE_POLL_MS = 1_500

/** Screens that show the games. */
let screens = 0

/** Whether the page has its stream here: a room has its own. */
let isOpen = false
let link: { readonly token: string | undefined; readonly stop: () => void } | null = null
let lingering: ReturnType<typeof setTimeout> | undefined

/**
 * Keeps the page's one stream open while it has a use: somebody is signed in, or a screen shows the games. Returns a
 * function that closes it.
 */
export function openChannel(queries: QueryClient): () => void {
  isOpen = true
  const update = () => updateLink(queries)
  update()
  const unwatch = watchSession(update)
  return () => {
    isOpen = false
    unwatch()
    update()
  }
}

/** Counts in a screen that shows the games. Returns a function that counts it out. */
export function showGames(queries: QueryClient): () => void {
  screens += 1
  updateLink(queries)
  return () => {
    screens -= 1
    clearTimeout(lingering)
    lingering = setTimeout(() => updateLink(queries), LINGER_MS)
  }
}

function updateLink(queries: QueryClient): void {
  clearTimeout(lingering)
  const token = currentSession()?.token
  const wanted = isOpen && (token !== undefined || screens > 0)
  if (link && (!wanted || link.token !== token)) dropLink()
  if (wanted) link ??= { token, stop: runPageLink(queries, token) }
}

function dropLink(): void {
  link?.stop()
  link = null
}

function runPageLink(queries: QueryClient, token: string | undefined): () => void {
  let askedAt = Number.NEGATIVE_INFINITY
  return runLink({
    everyMs: token === undefined ? GAMES_POLL_MS : BALANCE_POLL_MS,
    runStream: ({ onData, ...watch }) =>
      runOwnStream({
        ...watch,
        path: GAMES_STREAM_PATH,
        onEvent: (event, receivedAt) => {
          handleGamesEvent(queries, event, receivedAt)
          onData()
        },
      }),
    async beat({ signal }) {
      const now = performance.now()
      const isDue = now - askedAt >= GAMES_POLL_MS
      if (isDue) askedAt = now
      await Promise.all([
        refetchOwn(queries, { all: isDue }),
        isDue && screens > 0 && refetchGames(queries, signal),
        isDue && queries.refetchQueries({ type: 'active', queryKey: ['published-round'] }),
      ])
    },
  }).stop
}

async function refetchGames(queries: QueryClient, signal: AbortSignal): Promise<void> {
  const { queryKey } = gamesQuery
  const state = queries.getQueryState(queryKey)
  if (state?.status !== 'error' || state.data) {
    await queries.refetchQueries({ queryKey, exact: true })
  } else {
    // Not through the cache: a screen that shows a failure would flicker with each beat.
    const games = await fetchGames(signal)
    if (!signal.aborted) queries.setQueryData(queryKey, games)
  }
  keepRootsOf(queries.getQueryData(queryKey) ?? [])
}

function keepRootsOf(games: readonly Game[]): void {
  keepRoots(games.map(({ id, ...round }) => ({ gameId: id, ...round })))
}

/** Handles one event of the games' stream; unknown events are ignored. */
export function handleGamesEvent(
  queries: QueryClient,
  { name, data }: StreamEvent,
  receivedAt: number,
): void {
  if (name === 'draws') handleDraws(queries, read<'draws'>(data))
  if (name !== 'begin' && name !== 'games') return
  const received = read<'games'>(data).map((game) => gameFromWire(game, receivedAt))
  keepRootsOf(received)
  const { queryKey } = gamesQuery
  if (name === 'begin') {
    queries.setQueryData(queryKey, (known) => laterGames(known, received))
    // Draws of rounds that ended before the stream began may be missing.
    for (const { id } of received) refetchLatest(queries, id)
  } else {
    queries.setQueryData(queryKey, (known) => known && laterGames(known, received))
  }
}

/** New results: each comes once, and before the games that name it. */
function handleDraws(queries: QueryClient, draws: GamesStreamEvents['draws']): void {
  for (const gameId of new Set(draws.map(({ game_id }) => game_id))) {
    const received = draws.filter(({ game_id }) => game_id === gameId)
    addStreamedRounds(queries, gameId, received.map(pastRoundFromWire))
    void queries.invalidateQueries({ queryKey: ['published-round', gameId] })
  }
}

/** Like every reply, the data is trusted to have the contract's form. */
function read<Name extends GamesStreamEventName>(data: string): GamesStreamEvents[Name] {
  return JSON.parse(data)
}
