import type { Odds } from '@sum28/contract/replies.ts'
import { formatOdds, formatShare, returnPpm } from '@sum28/domain/odds.ts'
import type { Offer } from './games-store.ts'

/** Millionths in one way of the 1,000. */
const WAY_PPM = 1_000

/** An outcome's odds on the wire, with its chance and its return. */
export function wireOdds(offer: Offer): Odds {
  return {
    class: offer.ruleId,
    class_name: offer.outcome,
    odds: formatOdds(offer.oddsMilli),
    chance: formatShare(offer.ways * WAY_PPM),
    return: formatShare(returnPpm(offer)),
  }
}
