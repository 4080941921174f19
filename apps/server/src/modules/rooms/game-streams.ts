/**
 * The stream of all games: one loop for all listeners. News of a change start it at once;
 * without any it looks by itself. What it tells is what the lobby answers, where that has changed,
 * and each result once; it is read and written down once for all, however many listen.
 */
import type { GameOnWire } from '@sum28/contract/replies.ts'
import type { GameDraw, GamesStreamEventName, GamesStreamEvents } from '@sum28/contract/stream.ts'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { issueResult } from '#src/modules/rounds/result-wire.ts'
import { resultsOf } from '#src/modules/rounds/round-store.ts'
import type { ReadLobby } from './lobby.ts'
import { lookTimer } from './look-timer.ts'

/** The least time between two looks, in which news gather. */
const GATHER_MS = 50

/** Results looked at of each game: so many may come about between two looks, or late, and be told. */
const RESULTS_LOOKED_AT = 20

/** @param json the event's data, without line breaks */
export type TellGames = (event: GamesStreamEventName, json: string) => void

export type GameStreams = {
  /** Begins to tell; gives the function that ends it. */
  watch(tell: TellGames): () => void
  /** A round of some game has changed. */
  hear(news: { topic: 'room' | 'game' }): void
  stop(): void
}

/** What to look at: the games, for a new listener, or everything. */
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
  /** The games as all were told them. */
  const toldGames = new Map<number, string>()
  /** The rounds of each game whose results all have, or could ask for when they began. */
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
      // A look that failed is made again with the next news, or when it is time.
      await lookAt(look).catch(deps.onError)
      await new Promise((gathered) => setTimeout(gathered, GATHER_MS))
    }
    looking = false
  }

  async function lookAt(look: Look): Promise<void> {
    // A listener who is added while this is read may have missed a change: he begins with the next look.
    const present = [...watching]
    const games = await lobby()
    const changed = games.filter((game) => toldGames.get(game.id) !== keyOf(game))
    // Read after the games, so that a result is told no later than the game that names it.
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

  /** Results that were not told yet, oldest first; null where some may have been missed. */
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
      // Of what came about while nobody listened, nobody is told.
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

/** What a game is told for when it changes: time that goes by is no change. */
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
