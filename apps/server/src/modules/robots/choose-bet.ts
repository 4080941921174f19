/** Chooses a robot's selections and stakes: within the room's limits, and without any knowledge of a draw. */
import type { Amount } from '@sum28/domain/money.ts'
import { RULES, type RuleId, SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'
import { oneOf, type Random } from './random.ts'

const NAMED = RULES.filter(({ id }) => id < SUM_RULE_BASE).map(({ id }) => id)
const SUM_RULES = RULES.filter(({ id }) => id >= SUM_RULE_BASE).map(({ id }) => id)

/** How many selections a bet has. */
const SELECTIONS = [1, 1, 1, 1, 1, 2, 2, 3]

/** The total in tenths of the room's minimum: most bets are small. */
const TENTHS = [10, 10, 10, 10, 15, 20, 20, 30, 50]

/** The greatest total of {@link chooseBet}, in minimums of the room and before rounding up. */
export const MINIMUMS_MAX = 5n

/** Stakes are round numbers: multiples of 5 u. */
const ROUND = 5_000_000n
const CENT = 10_000n

export type ChosenBet = {
  ruleIds: RuleId[]
  /** The stake on each selection. */
  stake: Amount
}

/** A bet within a room's limits; null if they allow no stake in whole cents. */
export function chooseBet(
  { stakeMin, stakeMax }: { stakeMin: Amount; stakeMax: Amount },
  random: Random,
): ChosenBet | null {
  const ruleIds = chooseRules(oneOf(SELECTIONS, random), random)
  const total = (stakeMin * BigInt(oneOf(TENTHS, random))) / 10n
  const stake = roundUp(total / BigInt(ruleIds.length), ROUND)
  const chosen = { ruleIds, stake }
  if (fits(chosen, { stakeMin, stakeMax })) return chosen
  const least = { ruleIds: ruleIds.slice(0, 1), stake: roundUp(stakeMin, CENT) }
  return fits(least, { stakeMin, stakeMax }) ? least : null
}

/** Different rules; about two in three are named outcomes. */
function chooseRules(count: number, random: Random): RuleId[] {
  const chosen = new Set<RuleId>()
  while (chosen.size < count) chosen.add(oneOf(random(3) < 2 ? NAMED : SUM_RULES, random))
  return [...chosen].sort((a, b) => a - b)
}

function fits(
  { ruleIds, stake }: ChosenBet,
  { stakeMin, stakeMax }: { stakeMin: Amount; stakeMax: Amount },
): boolean {
  const total = stake * BigInt(ruleIds.length)
  return stake > 0n && total >= stakeMin && total <= stakeMax
}

function roundUp(amount: Amount, to: Amount): Amount {
  return ((amount + to - 1n) / to) * to
}
