import type { Odds } from '@sum28/contract/replies.ts'
import type { OddsMilli } from '@sum28/domain/odds.ts'

export type Offer = ReturnType<typeof offerFromWire>

export function offerFromWire(odds: Odds) {
  return {
    ruleId: odds.class,
    /** The outcome's word, or the sum as text. */
    outcome: odds.class_name,
    oddsMilli: oddsMilliFromWire(odds.odds),
    /** Decimal odds as the wire writes them, principal included. */
    odds: odds.odds,
    /** Shares of one, four decimals: `"0.5000"`. */
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
