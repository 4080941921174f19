import { lobby } from '@sum28/contract/lottery-routes.ts'
import type { GameOnWire, Plan } from '@sum28/contract/replies.ts'
import type { Digits } from '@sum28/domain/digits.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import {
  type GameStatus,
  gameStatusFromWire,
  laterRound,
  type RunningRound,
  runningRoundFromWire,
} from '#src/data/live/running-round.ts'
import { refetchLatest } from '#src/data/rounds/refetch-rounds.ts'

export type Room = {
  readonly id: number
  readonly gameId: number
  /** The operator's own name of the room. */
  readonly title: string
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  readonly type: number
  readonly robots: number
  /** The smallest total of one order. */
  readonly stakeMin: Amount
  /** The entry limit. */
  readonly entryMin: Amount
  readonly status: GameStatus
}

/** A planned stop of betting; times in milliseconds since 1970. */
export type Pause = {
  /** Null: of all rooms of the game. */
  readonly roomId: number | null
  readonly beginsAt: number
  readonly endsAt: number
  /** The operator's own words. */
  readonly text: string
}

export type Game = RunningRound & {
  readonly id: number
  readonly name: string
  readonly status: GameStatus
  readonly lastRoundId: string
  readonly lastDigits: Digits | null
  readonly rooms: readonly Room[]
  readonly pauses: readonly Pause[]
}

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

/** @param receivedAt the instant of `performance.now()` */
export function gameFromWire(game: GameOnWire, receivedAt: number): Game {
  return {
    ...runningRoundFromWire(game.issue, receivedAt),
    id: game.id,
    name: game.name,
    status: gameStatusFromWire(game.status),
    lastRoundId: game.issue.last_issue,
    lastDigits: digitsOfCode(game.issue.last_code),
    rooms: game.planList.map(roomFromWire),
    pauses: game.pauses.map(({ plan_id: roomId, begins_at, ends_at, text }) => ({
      roomId,
      beginsAt: begins_at * 1_000,
      endsAt: ends_at * 1_000,
      text,
    })),
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

function roomFromWire(plan: Plan): Room {
  return {
    id: plan.id,
    gameId: plan.game_id,
    title: plan.title,
    type: plan.type,
    robots: plan.robot_num,
    stakeMin: amountFromWire(plan.min_limit),
    entryMin: amountFromWire(plan.join_limit),
    status: gameStatusFromWire(plan.status),
  }
}

/** The digits of the wire's `"1 2 3 6"`, or null before a draw. */
export function digitsOfCode(code: string): Digits | null {
  const match = /^(\d) (\d) (\d)(?: \d+)?$/.exec(code.trim())
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : null
}
