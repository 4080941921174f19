/**
 * The link that keeps the games as they are now for all that a page shows of them, and their past
 * rounds with them: by one stream, and by asking the lobby where there is none.
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

/** After the last has left it goes on for a while: the next screen is often one that joins. */
const LINGER_MS = 2_000

let joined = 0
let stop: (() => void) | null = null
let lingering: ReturnType<typeof setTimeout> | undefined

/** Joins those for whom the games are kept; gives what leaves them. */
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
      // Asked through the cache, a screen that says that it failed would blink with each beat.
      const games = await askGames(signal)
      if (!signal.aborted) queries.setQueryData(queryKey, games)
    },
  })
  return link.stop
}

/** Takes one event of the games' stream; one that this version does not know is passed over. */
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
    // Rounds that ended before, late ones among them, may not have been told.
    for (const { id } of told) askForLatest(queries, id)
  } else {
    queries.setQueryData(queryKey, (known) => known && laterGames(known, withOthers(known, told)))
  }
}

/** Results that have come about, each told once, and before the games that name them. */
function hearDraws(queries: QueryClient, draws: GamesStreamEvents['draws']): void {
  for (const gameId of new Set(draws.map(({ game_id }) => game_id))) {
    const told = draws.filter(({ game_id }) => game_id === gameId)
    takeTold(queries, gameId, told.map(pastRoundFromWire))
  }
}

/** All games, where only those that have changed are told. */
function withOthers(known: readonly Game[], told: readonly Game[]): Game[] {
  const toldById = new Map(told.map((game) => [game.id, game]))
  const ids = new Set(known.map(({ id }) => id))
  return [
    ...known.map((game) => toldById.get(game.id) ?? game),
    ...told.filter(({ id }) => !ids.has(id)),
  ]
}

/** As with every reply: what the server says is taken for what the contract names. */
function read<Name extends GamesStreamEventName>(data: string): GamesStreamEvents[Name] {
  return JSON.parse(data)
}
