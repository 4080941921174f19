/** The stake and the payout of a bet. */
import { type Amount, MICRO } from './money.ts'
import type { OddsMilli } from './odds.ts'
import { type RuleId, winningRuleIds } from './outcomes.ts'

/** A chosen outcome with the odds that were fixed when the bet was accepted. */
export type Selection = { readonly ruleId: RuleId; readonly oddsMilli: OddsMilli }

/** The total that leaves the balance: the stake on each selection times their number. */
export function totalStake({ stake, selections }: { stake: Amount; selections: number }): Amount {
  return stake * BigInt(selections)
}

/**
 * The payout of one selection: stake × odds when it hits, nothing when it does not.
 *
 * @param stake in micro-units, a whole number of cents, so that the product is exact
 */
export function payoutOfSelection(
  stake: Amount,
  { ruleId, oddsMilli }: Selection,
  sum: number,
): Amount {
  if (!winningRuleIds(sum).includes(ruleId)) return 0n
  return payoutAt(stake, oddsMilli)
}

/** Stake × odds. Throws when the result would not be exact, which no accepted stake causes. */
export function payoutAt(stake: Amount, oddsMilli: OddsMilli): Amount {
  const milli = stake * BigInt(oddsMilli)
  if (milli % 1000n !== 0n)
    throw new Error(`a stake of ${stake} micro-units at ${oddsMilli} is not exact`)
  return milli / 1000n
}

/** The payout of a whole bet: the sum over its selections. */
export function payoutOfBet(stake: Amount, selections: readonly Selection[], sum: number): Amount {
  return selections.reduce(
    (total, selection) => total + payoutOfSelection(stake, selection, sum),
    0n,
  )
}

/** The most that a bet can pay, over all 28 sums. */
export function payoutMax(stake: Amount, selections: readonly Selection[]): Amount {
  let most = 0n
  for (let sum = 0; sum <= 27; sum++) {
    const payout = payoutOfBet(stake, selections, sum)
    if (payout > most) most = payout
  }
  return most
}

/**
 * 'All in': (balance − 1 u) divided among the selections, in whole cents, never below zero.
 *
 * @param left what the player's own limits leave, if they leave less; null without one
 */
export function allInStake({
  balance,
  left = null,
  selections,
}: {
  balance: Amount
  left?: Amount | null
  selections: number
}): Amount {
  const kept = balance - MICRO
  const spent = left !== null && left < kept ? left : kept
  if (selections < 1 || spent <= 0n) return 0n
  const cent = MICRO / 100n
  const each = spent / BigInt(selections)
  return each - (each % cent)
}
