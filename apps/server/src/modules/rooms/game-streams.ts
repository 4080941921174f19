/**
 * The stream of all games: one loop for all subscribers. An event of a change runs it at once, or after the
 * first tenth of a second of a round; without events it polls. It sends the lobby's answer when that
 * has changed, and each result once. Each check reads and encodes everything once, for any number of subscribers.
 */
import type { GameOnWire } from '@sum28/contract/replies.ts'
import type { GameDraw, GamesStreamEventName, GamesStreamEvents } from '@sum28/contract/stream.ts'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { issueResult, resultsOf } from '#src/modules/rounds/results.ts'
import type { ReadLobby } from './board.ts'
import { gatheredChecks, pollTimer } from './room-streams.ts'

/** Results that are read of each game: enough for those between two checks, and for late ones. */
const RESULTS_READ = 20

/** @param json the event's data, without line breaks */
export type SendGames = (event: GamesStreamEventName, json: string) => void

export type GameStreams = {
  /** Subscribes; returns the function that ends the subscription. */
  watch(send: SendGames): () => void
  /** A round of some game has changed. */
  roundChanged(): void
  stop(): void
}

/** What to check: the games, for a new subscriber, or everything. */
type Check = 'games' | 'all'

type Watching = { readonly send: SendGames; begun: boolean }

export function gameStreams(deps: {
  db: Queryable
  lobby: ReadLobby
  schedule: ScheduleRules
  now: () => number
  onError: (error: unknown) => void
}): GameStreams {
  const { db, lobby } = deps
  const watching = new Set<Watching>()
  /** The games as all subscribers have received them. */
  const sentGames = new Map<number, string>()
  /** For each game the rounds whose results all subscribers have, or could read when they began. */
  const sentResults = new Map<number, ReadonlySet<string>>()
  const want = gatheredChecks<Check>({ ...deps, watching, run: runCheck })

  async function runCheck(check: Check): Promise<void> {
    // A subscriber added during this read may have missed a change: the next check sends him the games.
    const present = [...watching]
    const games = await lobby()
    const changed = games.filter((game) => sentGames.get(game.id) !== keyOf(game))
    // Read after the games, so that a result is sent no later than the game that names it.
    const draws = check === 'all' || changed.length > 0 ? await newDraws(games) : []
    for (const game of changed) sentGames.set(game.id, keyOf(game))
    const old = present.filter(({ begun }) => begun)
    const fresh = present.filter(({ begun }) => !begun)
    if (draws === null) {
      send(present, 'begin', games)
    } else {
      if (draws.length > 0) send(old, 'draws', draws)
      if (changed.length > 0) send(old, 'games', changed)
      send(fresh, 'begin', games)
    }
    for (const each of fresh) each.begun = true
  }

  /** Results that were not sent yet, oldest first; null if some may have been missed. */
  async function newDraws(games: readonly GameOnWire[]): Promise<GameDraw[] | null> {
    const read = await Promise.all(
      games.map(async ({ id }) => {
        const latest = { gameId: id, day: null, limit: RESULTS_READ, offset: 0 }
        return { id, results: await resultsOf(db, latest) }
      }),
    )
    let missed = false
    const draws = read.flatMap(({ id, results }) => {
      const sent = sentResults.get(id)
      sentResults.set(id, new Set(results.map(({ issue }) => issue)))
      if (!sent) return []
      const unsent = results.filter(({ issue }) => !sent.has(issue))
      missed ||= unsent.length === RESULTS_READ
      return unsent.toReversed().map((result) => ({ ...issueResult(result), game_id: id }))
    })
    return missed ? null : draws
  }

  const stopPolling = pollTimer({ ...deps, poll: () => want('all') })

  return {
    watch(send) {
      const one: Watching = { send, begun: false }
      // Without subscribers results are not sent later: they only count as sent.
      if (watching.size === 0) sentResults.clear()
      watching.add(one)
      want(sentResults.size === 0 ? 'all' : 'games')
      return () => {
        watching.delete(one)
      }
    },
    roundChanged: () => want('all'),
    stop() {
      stopPolling()
      watching.clear()
    },
  }
}

/** The state of a game that counts as a change; the passing of time does not. */
function keyOf(game: GameOnWire): string {
  return JSON.stringify({ ...game, issue: { ...game.issue, openTime1: 0, draw_in: 0 } })
}

function send<Name extends GamesStreamEventName>(
  watching: readonly Watching[],
  event: Name,
  data: GamesStreamEvents[Name],
): void {
  if (watching.length === 0) return
  const json = JSON.stringify(data)
  for (const each of watching) each.send(event, json)
}
