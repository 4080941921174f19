import { heart, lobby, oddsList } from '@sum28/contract/lottery-routes.ts'
import type { Plan, Game as WireGame } from '@sum28/contract/replies.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { SUM_RULE_BASE, SUMS } from '@sum28/domain/outcomes.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { gameStatus } from '#src/modules/games/catalog.ts'
import { oddsOfRoom, type Room } from '#src/modules/games/games-store.ts'
import { wireOdds } from '#src/modules/games/odds-wire.ts'
import { lotteryCode } from '#src/modules/rounds/result-wire.ts'
import { refuse } from '#src/refusal.ts'
import type { Heartbeat, HeartDeps } from './heartbeat.ts'
import { wireRound } from './round-wire.ts'

export function roomRoutes(
  deps: Omit<HeartDeps, 'balance'> & {
    heartbeat: Heartbeat
    /** Whether house robots bet at all: where they do not, no room has any. */
    robots: boolean
  },
): RouteBinding[] {
  const { db, board, catalog, now, robots } = deps

  return [
    bind(lobby, async ({ input }) => {
      const { games, rooms } = await catalog()
      const asked = games.filter(({ id }) => input.game_id === undefined || id === input.game_id)
      if (input.game_id !== undefined && asked.length === 0) return refuse('not_found')
      const gameList = await Promise.all(
        asked.map(async (game): Promise<WireGame> => {
          const shown = await board.game(game.id)
          const open = shown.scheduled !== null
          const last = shown.results[0]
          return {
            id: game.id,
            name: game.name,
            status: gameStatus(game, { open }),
            issue: { ...wireRound(shown, now()), last_code: last ? lotteryCode(last) : '' },
            planList: rooms
              .filter(({ gameId }) => gameId === game.id)
              .map((room) => ({
                ...wirePlan(room, gameStatus(game, { room, open })),
                robot_num: robots ? room.robots : 0,
              })),
          }
        }),
      )
      return { gameList }
    }),

    bind(heart, ({ caller, input }) =>
      deps.heartbeat.beat(caller, {
        gameId: input.game_id,
        roomId: input.plan_id,
        after: input.after ?? null,
      }),
    ),

    bind(oddsList, async ({ input }) => {
      const offers = await oddsOfRoom(db, input.plan_id)
      if (offers.length === 0) return refuse('room_unknown')
      return {
        rule_base: offers.filter(({ ruleId }) => ruleId < SUM_RULE_BASE).map(wireOdds),
        rule_num: offers.filter(({ ruleId }) => ruleId >= SUM_RULE_BASE).map(wireOdds),
        num_code: Object.fromEntries(SUMS.map((sum) => [String(SUM_RULE_BASE + sum), String(sum)])),
      }
    }),
  ]
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
