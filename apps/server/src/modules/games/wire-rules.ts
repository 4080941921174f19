import type { Odds } from '@sum28/contract/replies.ts'
import { formatOdds, formatShare, returnPpm } from '@sum28/domain/odds.ts'
import { SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'
import type { Offer } from './catalog.ts'

/** A room's odds on the wire, in the order of its offers: named outcomes, and sums. */
export function wireRules(offers: readonly Offer[]): { rule_base: Odds[]; rule_num: Odds[] } {
  return {
    rule_base: offers.filter(({ ruleId }) => ruleId < SUM_RULE_BASE).map(wireOdds),
    rule_num: offers.filter(({ ruleId }) => ruleId >= SUM_RULE_BASE).map(wireOdds),
  }
}

/** Millionths in one way of the 1,000. */
const WAY_PPM = 1_000

/** An outcome's odds on the wire, with its chance and its return. */
function wireOdds(offer: Offer): Odds {
  return {
    class: offer.ruleId,
    class_name: offer.outcome,
    odds: formatOdds(offer.oddsMilli),
    chance: formatShare(offer.ways * WAY_PPM),
    return: formatShare(returnPpm(offer)),
  }
}
