/** Placing a bet. */
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { call } from '#src/data/client.ts'
import { type FeedEntry, feedEntryFromWire } from '#src/data/feed.ts'
import { type Money, moneyFromWire } from '#src/data/money.ts'
import type { Attempt } from '#src/data/order-attempt.ts'

export type PlacedBet = {
  readonly orderNo: string
  readonly entry: FeedEntry
  /** After the stake was taken. */
  readonly money: Money
}

/** Sends an attempt. Rejects with `Refusal`, or with `Unreachable` if no answer came. */
export async function placeBet({ order, key }: Attempt): Promise<PlacedBet> {
  const reply = await call(
    playOrder,
    {
      issue: order.issue,
      plan_id: order.roomId,
      game_id: order.gameId,
      play_type: JSON.stringify(order.ruleIds),
      money: formatAmount(order.stake),
      ...(order.followedId !== null && { follow_id: order.followedId }),
      ...(order.rulesVersion !== undefined && { rules_version: order.rulesVersion }),
    },
    { idempotencyKey: key },
  )
  return {
    orderNo: reply.orderNo,
    entry: feedEntryFromWire(reply),
    money: moneyFromWire({ money: reply.after_quantity, version: reply.version }),
  }
}
