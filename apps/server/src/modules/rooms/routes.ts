import { heart, lobby, oddsList } from '@sum28/contract/lottery-routes.ts'
import type { Odds, Plan, Game as WireGame } from '@sum28/contract/replies.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { formatOdds, formatShare, returnPpm } from '@sum28/domain/odds.ts'
import { SUM_RULE_BASE, SUMS } from '@sum28/domain/outcomes.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { gameStatus } from '#src/modules/games/catalog.ts'
import { type Offer, oddsOfRoom, type Room } from '#src/modules/games/games-store.ts'
import { lotteryCode } from '#src/modules/rounds/result-wire.ts'
import { refuse } from '#src/refusal.ts'
import { type HeartDeps, heartbeat } from './heartbeat.ts'
import { wireRound } from './round-wire.ts'

const MILLION = 1_000_000

export function roomRoutes(deps: HeartDeps): RouteBinding[] {
  const { db, board, catalog, now } = deps
  const beat = heartbeat(deps)

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
              .map((room) => wirePlan(room, gameStatus(game, { room, open }))),
          }
        }),
      )
      return { gameList }
    }),

    bind(heart, ({ caller, input }) =>
      beat(caller, { gameId: input.game_id, roomId: input.plan_id, after: input.after ?? null }),
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

function wirePlan(room: Room, status: number): Plan {
  return {
    id: room.id,
    game_id: room.gameId,
    title: room.title,
    type: room.type,
    robot_num: room.robots,
    min_limit: formatAmount(room.stakeMin),
    join_limit: formatAmount(room.entryMin),
    status,
  }
}

function wireOdds(offer: Offer): Odds {
  return {
    class: offer.ruleId,
    class_name: offer.outcome,
    odds: formatOdds(offer.oddsMilli),
    chance: formatShare((offer.ways * MILLION) / 1000),
    return: formatShare(returnPpm(offer)),
  }
}
