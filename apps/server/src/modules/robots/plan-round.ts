/** When a room's robots bet in one round: each several times or not at all, spread over the betting time. */
import { randomInt } from 'node:crypto'
import type { Amount } from '@sum28/domain/money.ts'
import { RULES, type RuleId, SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'

/** How many bets a robot makes in a round: none in one of seven rounds. */
const BETS = [0, 1, 1, 1, 1, 2, 2]

/** The part of the betting time without bets at its beginning and its end, and its maximum. */
const EDGE_SHARE = 0.05
const EDGE_MAX_MS = 3_000

export type PlannedBet = {
  readonly at: number
  readonly playerId: number
  readonly roomId: number
  readonly seat: number
  /** Its number among the robot's bets of this round, from 1. */
  readonly number: number
}

type Seat = { playerId: number; roomId: number; seat: number }

/**
 * Plans the bets of one round, earliest first.
 *
 * @param round instants between which bets are accepted
 */
export function planRound(
  round: { opensAt: number; sealsAt: number },
  robots: readonly Seat[],
  random: Random,
): PlannedBet[] {
  const length = round.sealsAt - round.opensAt
  const edge = Math.min(EDGE_MAX_MS, Math.floor(length * EDGE_SHARE))
  return robots
    .flatMap(({ playerId, roomId, seat }) =>
      Array.from({ length: oneOf(BETS, random) }, (_, index) => ({
        at: round.opensAt + edge + random(Math.max(1, length - 2 * edge)),
        playerId,
        roomId,
        seat,
        number: index + 1,
      })),
    )
    .sort((a, b) => a.at - b.at)
}

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

/**
 * Returns a whole number from 0 to below a bound. Robots use the system's randomness, which is independent of every
 * draw.
 */
export type Random = (below: number) => number

export const systemRandom: Random = (below) => randomInt(below)

export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('one of nothing was asked for')
  return item
}
