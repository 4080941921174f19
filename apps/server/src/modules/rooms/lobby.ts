/** The lobby's public data of the games: their running round, last draw, and rooms. */
import type { GameOnWire, Plan, RunningRoundOnWire } from '@sum28/contract/replies.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { type Catalog, gameStatus } from '#src/modules/games/catalog.ts'
import type { Room } from '#src/modules/games/games-store.ts'
import { lotteryCode } from '#src/modules/rounds/result-wire.ts'
import type { Board, GameBoard } from './board.ts'

/** Reads all games, or only the requested one; none if there is no such game. */
export type ReadLobby = (gameId?: number) => Promise<GameOnWire[]>

export function lobbyReader(deps: {
  board: Board
  catalog: () => Promise<Catalog>
  /** Whether house robots run: if they do not, no room has any. */
  robots: boolean
  now: () => number
}): ReadLobby {
  const { board, catalog, robots, now } = deps
  return async (gameId) => {
    const { games, rooms } = await catalog()
    const requested = games.filter(({ id }) => gameId === undefined || id === gameId)
    return Promise.all(
      requested.map(async (game): Promise<GameOnWire> => {
        const shown = await board.game(game.id)
        const open = shown.scheduled !== null
        const last = shown.results[0]
        return {
          id: game.id,
          name: game.name,
          status: gameStatus(game, { open }),
          issue: { ...wireRound(shown, now()), last_code: last ? lotteryCode(last) : '' },
          planList: rooms
            .filter((room) => room.gameId === game.id)
            .map((room) => ({
              ...wirePlan(room, gameStatus(game, { room, open })),
              robot_num: robots ? room.robots : 0,
            })),
        }
      }),
    )
  }
}

function wirePlan(room: Room, status: number): Omit<Plan, 'robot_num'> {
  return {
    id: room.id,
    game_id: room.gameId,
    title: room.title,
    type: room.type,
    min_limit: formatAmount(room.stakeMin),
    join_limit: formatAmount(room.entryMin),
    status,
  }
}

/** The running round in wire form; sealed also while it is not open yet, or outside opening hours. */
export function wireRound(board: GameBoard, now: number): RunningRoundOnWire {
  const { scheduled, state, results } = board
  const left = scheduled && state === 'open' ? scheduled.sealsAt - now : 0
  const open = left > 0
  return {
    issue: scheduled?.issue ?? '',
    last_issue: results[0]?.issue ?? '',
    openTime1: open ? Math.ceil(left / 1000) : 0,
    whether_close: !open,
  }
}
