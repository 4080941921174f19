import { oddsList } from '@sum28/contract/lottery-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { NAMED_OUTCOMES } from '@sum28/domain/digits.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type Offer, offerFromWire } from '#src/data/offer.ts'

export function oddsQuery(roomId: number) {
  return queryOptions({
    queryKey: ['odds', roomId],
    staleTime: 30_000,
    // Old and new maps cannot be compared: the new one is taken.
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      roomOddsFromWire(await call(oddsList, { plan_id: roomId }, { signal })),
  })
}

export type RoomOdds = ReturnType<typeof roomOddsFromWire>

function roomOddsFromWire(reply: ReplyOf<typeof oddsList>) {
  const named = reply.rule_base.map(offerFromWire).sort(inPanelOrder)
  const sums = reply.rule_num.map(offerFromWire)
  return {
    named,
    sums,
    byRule: new Map([...named, ...sums].map((offer) => [offer.ruleId, offer])),
    /** The most that all bets of one player in one round may pay together. */
    payoutMax: amountFromWire(reply.payout_max),
    /** Sent with an order, so that a bet is never taken at other odds than these. */
    rulesVersion: reply.rules_version,
  }
}

const ORDER: readonly string[] = NAMED_OUTCOMES

function inPanelOrder(one: Offer, other: Offer): number {
  return ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome)
}
