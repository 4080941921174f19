/**
 * The outcomes for betting: 8 named sets of sums and each of the 28 sums, 36 selections in total.
 * A draw is three digits 0–9. Only their sum, 0–27, decides.
 */
import { labelsOfSum, NAMED_OUTCOMES } from './digits.ts'

/** One of {@link NAMED_OUTCOMES}. */
export type NamedOutcome = (typeof NAMED_OUTCOMES)[number]

/** An outcome's word on the wire: a name, or a sum as decimal text (`"0"` … `"27"`). */
export type Outcome = NamedOutcome | `${number}`

/** The id by which a request names an outcome: 1–4, 11–14, or 400 + the sum. */
export type RuleId = number

export type Rule = {
  readonly id: RuleId
  readonly outcome: Outcome
  /** How many of the 1,000 equally likely draws hit it. */
  readonly ways: number
}

/** Sums that three digits can have. */
export const SUMS: readonly number[] = Array.from({ length: 28 }, (_, sum) => sum)

/** By sum: of the 1,000 draws, each is counted once. */
const WAYS = SUMS.map(() => 0)
for (let draw = 0; draw < 1_000; draw++) {
  const sum = Math.floor(draw / 100) + (Math.floor(draw / 10) % 10) + (draw % 10)
  WAYS[sum] = (WAYS[sum] ?? 0) + 1
}

/** How many of the 1,000 draws have this sum. */
export function waysOfSum(sum: number): number {
  return WAYS[sum] ?? 0
}

const NAMED_RULE_IDS: Record<NamedOutcome, RuleId> = {
  long: 1,
  short: 2,
  odd: 3,
  even: 4,
  'long-odd': 11,
  'long-even': 12,
  'short-odd': 13,
  'short-even': 14,
}

/** The first of the 28 rule ids that name a sum: rule 400 + s is the sum s. */
export const SUM_RULE_BASE = 400

/** Whether a sum hits a named outcome. */
export function namedOutcomeHits(outcome: NamedOutcome, sum: number): boolean {
  const { base, join } = labelsOfSum(sum)
  return outcome === base[0] || outcome === base[1] || outcome === join
}

/** All 36 rules: the 8 named outcomes, then the 28 sums. */
export const RULES: readonly Rule[] = [
  ...NAMED_OUTCOMES.map((outcome) => ({
    id: NAMED_RULE_IDS[outcome],
    outcome,
    ways: SUMS.filter((sum) => namedOutcomeHits(outcome, sum)).reduce(
      (total, sum) => total + waysOfSum(sum),
      0,
    ),
  })),
  ...SUMS.map((sum) => ({
    id: SUM_RULE_BASE + sum,
    outcome: `${sum}` as Outcome,
    ways: waysOfSum(sum),
  })),
]

const RULE_BY_ID = new Map(RULES.map((rule) => [rule.id, rule]))

/** The rule with this id, or undefined when there is none. */
export function ruleById(id: RuleId): Rule | undefined {
  return RULE_BY_ID.get(id)
}

/** The ids of the four rules that a sum hits: size, parity, joint outcome, and the sum itself. */
export function winningRuleIds(sum: number): [RuleId, RuleId, RuleId, RuleId] {
  const { base, join } = labelsOfSum(sum)
  return [
    NAMED_RULE_IDS[base[0]],
    NAMED_RULE_IDS[base[1]],
    NAMED_RULE_IDS[join],
    SUM_RULE_BASE + sum,
  ]
}

/** How many of the 1,000 draws hit at least one of some rules. */
export function waysOfAny(ids: readonly RuleId[]): number {
  return SUMS.filter((sum) => winningRuleIds(sum).some((id) => ids.includes(id))).reduce(
    (total, sum) => total + waysOfSum(sum),
    0,
  )
}
