/**
 * The stream of all games: one loop for all subscribers. An event of a change runs it at once; without events it
 * polls. It sends the lobby's answer when that has changed, and each result once. Each check reads and encodes
 * everything once, for any number of subscribers.
 */
import type { GameOnWire } from '@sum28/contract/replies.ts'
import type { GameDraw, GamesStreamEventName, GamesStreamEvents } from '@sum28/contract/stream.ts'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { issueResult } from '#src/modules/rounds/result-wire.ts'
import { resultsOf } from '#src/modules/rounds/round-store.ts'
import type { ReadLobby } from './lobby.ts'
import { lookTimer } from './look-timer.ts'

/** The least time between two checks; events that arrive meanwhile are handled together. */
const GATHER_MS = 50

/** Results that are read of each game: enough for those between two checks, and for late ones. */
const RESULTS_LOOKED_AT = 20

/** @param json the event's data, without line breaks */
export type TellGames = (event: GamesStreamEventName, json: string) => void

export type GameStreams = {
  /** Subscribes; returns the function that ends the subscription. */
  watch(tell: TellGames): () => void
  /** A round of some game has changed. */
  hear(news: { topic: 'room' | 'game' }): void
  stop(): void
}

/** What to check: the games, for a new subscriber, or everything. */
type Look = 'games' | 'all'

type Watching = { readonly tell: TellGames; begun: boolean }

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
  const toldGames = new Map<number, string>()
  /** For each game the rounds whose results all subscribers have, or could read when they began. */
  const toldResults = new Map<number, ReadonlySet<string>>()
  let wanted: Look | null = null
  let looking = false

  function want(look: Look): void {
    if (watching.size === 0) return
    if (wanted !== 'all') wanted = look
    if (!looking) void lookWhileWanted()
  }

  async function lookWhileWanted(): Promise<void> {
    looking = true
    while (wanted && watching.size > 0) {
      const look = wanted
      wanted = null
      // A failed check is repeated at the next event or poll.
      await lookAt(look).catch(deps.onError)
      await new Promise((gathered) => setTimeout(gathered, GATHER_MS))
    }
    looking = false
  }

  async function lookAt(look: Look): Promise<void> {
    // A subscriber added during this read may have missed a change: the next check sends him the games.
    const present = [...watching]
    const games = await lobby()
    const changed = games.filter((game) => toldGames.get(game.id) !== keyOf(game))
    // Read after the games, so that a result is sent no later than the game that names it.
    const draws = look === 'all' || changed.length > 0 ? await newDraws(games) : []
    for (const game of changed) toldGames.set(game.id, keyOf(game))
    const old = present.filter(({ begun }) => begun)
    const fresh = present.filter(({ begun }) => !begun)
    if (draws === null) {
      tell(present, 'begin', games)
    } else {
      if (draws.length > 0) tell(old, 'draws', draws)
      if (changed.length > 0) tell(old, 'games', changed)
      tell(fresh, 'begin', games)
    }
    for (const each of fresh) each.begun = true
  }

  /** Results that were not sent yet, oldest first; null if some may have been missed. */
  async function newDraws(games: readonly GameOnWire[]): Promise<GameDraw[] | null> {
    const read = await Promise.all(
      games.map(async ({ id }) => {
        const latest = { gameId: id, day: null, limit: RESULTS_LOOKED_AT, offset: 0 }
        return { id, results: await resultsOf(db, latest) }
      }),
    )
    let missed = false
    const draws = read.flatMap(({ id, results }) => {
      const told = toldResults.get(id)
      toldResults.set(id, new Set(results.map(({ issue }) => issue)))
      if (!told) return []
      const untold = results.filter(({ issue }) => !told.has(issue))
      missed ||= untold.length === RESULTS_LOOKED_AT
      return untold.toReversed().map((result) => ({ ...issueResult(result), game_id: id }))
    })
    return missed ? null : draws
  }

  const stopLooking = lookTimer({ ...deps, look: () => want('all') })

  return {
    watch(tell) {
      const one: Watching = { tell, begun: false }
      // Without subscribers results are not sent later: they only count as sent.
      if (watching.size === 0) toldResults.clear()
      watching.add(one)
      want(toldResults.size === 0 ? 'all' : 'games')
      return () => {
        watching.delete(one)
      }
    },
    hear({ topic }) {
      if (topic === 'game') want('all')
    },
    stop() {
      stopLooking()
      watching.clear()
    },
  }
}

/** The state of a game that counts as a change; the passing of time does not. */
function keyOf(game: GameOnWire): string {
  return JSON.stringify({ ...game, issue: { ...game.issue, openTime1: 0 } })
}

function tell<Name extends GamesStreamEventName>(
  watching: readonly Watching[],
  event: Name,
  data: GamesStreamEvents[Name],
): void {
  if (watching.length === 0) return
  const json = JSON.stringify(data)
  for (const each of watching) each.tell(event, json)
}
