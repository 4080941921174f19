import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { orderList } from '@sum28/contract/user-routes.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { instantsOfDays } from '#src/http/day-range.ts'
import { listReply, pagingOf } from '#src/http/page.ts'
import { isRefusal } from '#src/refusal.ts'
import { type BetStatus, historyOf } from './bet-store.ts'
import { betRecord, feedMessage, STATUS_ON_WIRE } from './bet-wire.ts'
import type { PlaceBet } from './place-bet.ts'

export function betRoutes(deps: {
  db: Database
  placeBet: PlaceBet
  timeZone: string
  now: () => number
}): RouteBinding[] {
  return [
    bind(playOrder, async ({ caller, input, idempotencyKey, answer }) => {
      const placed = await deps.placeBet({
        playerId: caller.playerId,
        gameId: input.game_id,
        roomId: input.plan_id,
        issue: input.issue,
        ruleIds: input.play_type,
        stake: input.money,
        followId: input.follow_id ?? null,
        idempotencyKey,
      })
      if (placed.replayed) answer.replayed()
      if (isRefusal(placed)) return placed
      answer.say('success.order')
      return { ...feedMessage(placed.bet, caller), orderNo: placed.bet.orderNo }
    }),

    bind(orderList, async ({ caller, input }) => {
      const span = instantsOfDays(deps.timeZone, deps.now(), input)
      if (isRefusal(span)) return span
      const statuses = (Object.keys(STATUS_ON_WIRE) as BetStatus[]).filter(
        (status) => input.status === undefined || STATUS_ON_WIRE[status] === input.status,
      )
      const paging = pagingOf(input)
      const { bets, total } = await historyOf(deps.db, {
        playerId: caller.playerId,
        ...span,
        statuses,
        ...paging,
      })
      return listReply(bets.map(betRecord), total, paging)
    }),
  ]
}
