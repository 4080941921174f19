/** What a bet pays by its line in the book: written here once more, so that the verifier needs nothing of the server. */

/** Whether a sum of three digits hits a rule. 1–4: long, short, odd, even; 11–14: size and parity; 400 + s: the sum s. */
export function hits(ruleId: number, sum: number): boolean {
  const long = sum >= 14
  const odd = sum % 2 === 1
  switch (ruleId) {
    case 1:
      return long
    case 2:
      return !long
    case 3:
      return odd
    case 4:
      return !odd
    case 11:
      return long && odd
    case 12:
      return long && !odd
    case 13:
      return !long && odd
    case 14:
      return !long && !odd
    default:
      return ruleId === 400 + sum
  }
}

/**
 * The payout of a bet in micro-units: for each rule that the sum hits, its stake times its odds.
 *
 * @param bet the rule ids as JSON, their odds in thousandths, and the stake on each in micro-units
 * @returns null if it is no whole number of micro-units
 */
export function payoutOf(
  bet: { playType: string; odds: readonly string[]; stake: string },
  digits: readonly number[],
): bigint | null {
  const sum = digits.reduce((total, digit) => total + digit, 0)
  const ruleIds = bet.playType.slice(1, -1).split(',').map(Number)
  const milli = ruleIds.reduce(
    (total, ruleId, at) => (hits(ruleId, sum) ? total + BigInt(bet.odds[at] ?? 0) : total),
    0n,
  )
  const product = BigInt(bet.stake) * milli
  return product % 1000n === 0n ? product / 1000n : null
}
