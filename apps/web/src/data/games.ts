import { lobby } from '@sum28/contract/lottery-routes.ts'
import type { GameOnWire, Plan } from '@sum28/contract/replies.ts'
import type { Digits } from '@sum28/domain/digits.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import {
  gameStatusFromWire,
  laterRound,
  runningRoundFromWire,
} from '#src/data/live/running-round.ts'
import { refetchLatest } from '#src/data/rounds/refetch-rounds.ts'

/** The interval of polls while no stream is open. */
export const GAMES_POLL_MS = 4_000

/** All games; with `useLiveGames` where their clocks are shown. */
export const gamesQuery = queryOptions({
  queryKey: ['games'],
  staleTime: 1_000,
  // Older data never replaces newer data, in any order of writes.
  structuralSharing: (known, received) =>
    laterGames(known as Game[] | undefined, received as Game[]),
  queryFn: async ({ signal, client }): Promise<Game[]> => {
    const games = await fetchGames(signal)
    refetchEnded(client, games)
    return games
  },
})

/** Fetches the games once. Rejects as `call` does. */
export async function fetchGames(signal: AbortSignal): Promise<Game[]> {
  const { gameList } = await call(lobby, {}, { signal })
  const receivedAt = performance.now()
  return gameList.map((game) => gameFromWire(game, receivedAt))
}

export type Game = ReturnType<typeof gameFromWire>

/** @param receivedAt the instant of `performance.now()` */
export function gameFromWire(game: GameOnWire, receivedAt: number) {
  const { last_issue: lastRoundId } = game.issue
  const lastDigits = digitsOfCode(game.issue.last_code)
  return {
    ...runningRoundFromWire(game.issue, receivedAt),
    id: game.id,
    name: game.name,
    status: gameStatusFromWire(game.status),
    /** The newest one with a result; empty before the first. */
    lastRoundId,
    lastDigits,
    lastVoided: lastRoundId !== '' && lastDigits === null,
    rooms: game.planList.map(roomFromWire),
    pauses: game.pauses.map(pauseFromWire),
  }
}

export type Pause = ReturnType<typeof pauseFromWire>

/** A planned stop of betting; times in milliseconds since 1970. */
function pauseFromWire(pause: GameOnWire['pauses'][number]) {
  return {
    /** Null: of all rooms of the game. */
    roomId: pause.plan_id,
    beginsAt: pause.begins_at * 1_000,
    endsAt: pause.ends_at * 1_000,
    /** The operator's own words. */
    text: pause.text,
  }
}

/** The later state of each game; a game that is not in `received` stays. */
export function laterGames(known: readonly Game[] = [], received: readonly Game[]): Game[] {
  const ids = [...new Set([...known, ...received].map(({ id }) => id))]
  const games = ids.flatMap((id) => {
    const [before, after] = [known, received].map((list) => list.find((game) => game.id === id))
    return after ? [laterRound(before, after)] : (before ?? [])
  })
  return replaceEqualDeep(known, games)
}

/** Refetches the rounds of a game whose round has ended: the stream may have missed the draw. */
function refetchEnded(queries: QueryClient, answer: readonly Game[]): void {
  const earlierGames = queries.getQueryData(gamesQuery.queryKey)
  for (const game of laterGames(earlierGames, answer)) {
    const before = earlierGames?.find(({ id }) => id === game.id)
    if (!before || (before.roundId === game.roundId && before.lastRoundId === game.lastRoundId))
      continue
    refetchLatest(queries, game.id)
  }
}

export type Room = ReturnType<typeof roomFromWire>

function roomFromWire(plan: Plan) {
  return {
    id: plan.id,
    gameId: plan.game_id,
    /** The operator's own name of the room. */
    title: plan.title,
    /** 0 basic, 1 senior, 2 master, 3 expert. */
    type: plan.type,
    robots: plan.robot_num,
    /** The smallest total of one order. */
    stakeMin: amountFromWire(plan.min_limit),
    /** The entry limit. */
    entryMin: amountFromWire(plan.join_limit),
    status: gameStatusFromWire(plan.status),
  }
}

/** The digits of the wire's `"1 2 3 6"`, or null without a draw. */
export function digitsOfCode(code: string): Digits | null {
  const match = /^(\d) (\d) (\d)(?: \d+)?$/.exec(code.trim())
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : null
}
