/** The games module's SQL for the rules as players read them. */
import type { Odds } from '@sum28/contract/replies.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { formatOdds, formatShare, returnPpm } from '@sum28/domain/odds.ts'
import type { Offer } from './catalog.ts'

export type RoomRules = {
  id: number
  gameId: number
  gameName: string
  title: string
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  type: number
  stakeMin: Amount
  stakeMax: Amount
  entryMin: Amount
  rulesVersion: number
  /** In the order of the rules: named outcomes, then sums. */
  offers: Offer[]
}

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
