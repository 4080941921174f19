/** A room's odds. */
import { oddsList } from '@sum28/contract/lottery-routes.ts'
import type { Odds } from '@sum28/contract/replies.ts'
import type { OddsMilli } from '@sum28/domain/odds.ts'
import { NAMED_OUTCOMES, type RuleId } from '@sum28/domain/outcomes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

export type Offer = {
  readonly ruleId: RuleId
  /** The outcome's word, or the sum as text. */
  readonly outcome: string
  readonly oddsMilli: OddsMilli
  /** Decimal odds as the wire writes them, principal included. */
  readonly odds: string
  /** Shares of one, four decimals: `"0.5000"`. */
  readonly chance: string
  readonly return: string
}

export type RoomOdds = {
  readonly named: readonly Offer[]
  readonly sums: readonly Offer[]
  readonly byRule: ReadonlyMap<RuleId, Offer>
}

export function oddsQuery(roomId: number) {
  return queryOptions({
    queryKey: ['odds', roomId],
    staleTime: 30_000,
    // A map is no plain data: what comes is taken as it is.
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<RoomOdds> => {
      const reply = await call(oddsList, { plan_id: roomId }, { signal })
      const named = reply.rule_base.map(offerFromWire).sort(inPanelOrder)
      const sums = reply.rule_num.map(offerFromWire)
      return { named, sums, byRule: new Map([...named, ...sums].map((o) => [o.ruleId, o])) }
    },
  })
}

/** `"1.92"` → 1920. Throws on anything with more than three decimals, which no odds have. */
function oddsMilliFromWire(odds: string): OddsMilli {
  const match = /^(\d+)(?:\.(\d{1,3}))?$/.exec(odds)
  if (!match) throw new Error(`'${odds}' are no odds`)
  return Number(match[1]) * 1_000 + Number((match[2] ?? '').padEnd(3, '0'))
}

function offerFromWire(odds: Odds): Offer {
  return {
    ruleId: odds.class,
    outcome: odds.class_name,
    oddsMilli: oddsMilliFromWire(odds.odds),
    odds: odds.odds,
    chance: odds.chance,
    return: odds.return,
  }
}

const ORDER: readonly string[] = NAMED_OUTCOMES

function inPanelOrder(one: Offer, other: Offer): number {
  return ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome)
}
