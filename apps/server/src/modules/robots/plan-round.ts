/** When a room's robots bet in one round: each several times or not at all, spread over the betting time. */
import { oneOf, type Random } from './random.ts'

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
