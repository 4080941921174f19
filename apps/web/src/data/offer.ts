/** An outcome as a room offers it. */
import type { Odds } from '@sum28/contract/replies.ts'
import type { OddsMilli } from '@sum28/domain/odds.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'

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

export function offerFromWire(odds: Odds): Offer {
  return {
    ruleId: odds.class,
    outcome: odds.class_name,
    oddsMilli: oddsMilliFromWire(odds.odds),
    odds: odds.odds,
    chance: odds.chance,
    return: odds.return,
  }
}

/** `"1.92"` → 1920. Throws on anything with more than three decimals, which no odds have. */
function oddsMilliFromWire(odds: string): OddsMilli {
  const match = /^(\d+)(?:\.(\d{1,3}))?$/.exec(odds)
  if (!match) throw new Error(`'${odds}' are no odds`)
  return Number(match[1]) * 1_000 + Number((match[2] ?? '').padEnd(3, '0'))
}
