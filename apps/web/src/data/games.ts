/** The games with their running round, and their rooms. */
import { lobby } from '@sum28/contract/lottery-routes.ts'
import type { Plan, Game as WireGame } from '@sum28/contract/replies.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import type { RemainingSample } from '@sum28/ui/countdown.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type GameStatus, gameStatusFromWire } from '#src/data/game-status.ts'

export type Room = {
  readonly id: number
  readonly gameId: number
  /** The operator's own name of the room. */
  readonly title: string
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  readonly type: number
  readonly robots: number
  /** The least total of one order. */
  readonly stakeMin: Amount
  /** The balance that entering needs. */
  readonly entryMin: Amount
  readonly status: GameStatus
}

export type Game = {
  readonly id: number
  readonly name: string
  readonly status: GameStatus
  /** The running round's number, empty when none runs. */
  readonly issue: string
  readonly sealed: boolean
  /** Time to the seal when the reply came. */
  readonly clock: RemainingSample
  readonly lastIssue: string
  /** `"1 2 3 6"`: digits and sum of the last draw, or empty. */
  readonly lastCode: string
  readonly rooms: readonly Room[]
}

/** How often the games are asked for again where no stream tells of them. */
export const GAMES_POLL_MS = 4_000

/** All games; with `useLiveGames` where their clocks are shown. */
export const gamesQuery = queryOptions({
  queryKey: ['games'],
  staleTime: 1_000,
  queryFn: ({ signal }) => askGames(signal),
})

/** Asks once. Rejects as `call` does. */
export async function askGames(signal: AbortSignal): Promise<Game[]> {
  const { gameList } = await call(lobby, {}, { signal })
  const sampledAt = performance.now()
  return gameList.map((game) => gameFromWire(game, sampledAt))
}

/** @param sampledAt the instant of `performance.now()` at which the game came */
export function gameFromWire(game: WireGame, sampledAt: number): Game {
  const { issue, last_issue, last_code, openTime1, whether_close } = game.issue
  return {
    id: game.id,
    name: game.name,
    status: gameStatusFromWire(game.status),
    issue,
    sealed: whether_close,
    clock: { of: issue, seconds: openTime1, sampledAt },
    lastIssue: last_issue,
    lastCode: last_code,
    rooms: game.planList.map(roomFromWire),
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
