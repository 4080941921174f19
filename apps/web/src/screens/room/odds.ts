import { oddsList } from '@sum28/contract/lottery-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { NAMED_OUTCOMES, type RuleId } from '@sum28/domain/outcomes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type Offer, offerFromWire } from '#src/data/offer.ts'

export type RoomOdds = {
  readonly named: readonly Offer[]
  readonly sums: readonly Offer[]
  readonly byRule: ReadonlyMap<RuleId, Offer>
  /** The most that all bets of one player in one round may pay together. */
  readonly payoutMax: Amount
  /** Sent with an order, so that a bet is never taken at other odds than these. */
  readonly rulesVersion: number
}

export function oddsQuery(roomId: number) {
  return queryOptions({
    queryKey: ['odds', roomId],
    staleTime: 30_000,
    // Old and new maps cannot be compared: the new one is taken.
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<RoomOdds> => {
      const reply = await call(oddsList, { plan_id: roomId }, { signal })
      const named = reply.rule_base.map(offerFromWire).sort(inPanelOrder)
      const sums = reply.rule_num.map(offerFromWire)
      return {
        named,
        sums,
        byRule: new Map([...named, ...sums].map((o) => [o.ruleId, o])),
        payoutMax: amountFromWire(reply.payout_max),
        rulesVersion: reply.rules_version,
      }
    },
  })
}

const ORDER: readonly string[] = NAMED_OUTCOMES

function inPanelOrder(one: Offer, other: Offer): number {
  return ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome)
}
