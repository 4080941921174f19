/**
 * Drives the house's robots: one process at a time, by the calendar. Robots bet as people do, through `placeBet`.
 * Each bet has an idempotency key of its robot, round and number, so that even two processes that both believe to
 * lead place no bet twice.
 */
import { roundAt, type ScheduledRound, type ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Clock } from '#src/adapters/clock/clock.ts'
import { repeatUntilEnded } from '#src/concurrency/repeat-until-ended.ts'
import type { Database } from '#src/db/database.ts'
import type { PlaceBet } from '#src/modules/bets/place-bet.ts'
import { type Catalog, gameStatus } from '#src/modules/games/catalog.ts'
import { keepRobots } from '#src/modules/robots/keep-robots.ts'
import {
  chooseBet,
  type PlannedBet,
  planRound,
  type Random,
  systemRandom,
} from '#src/modules/robots/plan-round.ts'
import type { Log } from '#src/process/log.ts'
import { isRefusal } from '#src/refusal/refusal.ts'

export type RobotDeps = {
  db: Database
  catalog: () => Promise<Catalog>
  placeBet: PlaceBet
  schedule: ScheduleRules
  now: () => number
  log: Log
  /** Whether this process drives the robots now. */
  leads: () => Promise<boolean>
  random?: Random
}

/** The lead of the robots; the games' leads are named by the games' ids. */
export const ROBOTS_LEAD = 0

/** The longest pause: after it, a new round is noticed. */
const SLEEP_MAX_MS = 500
const AFTER_FAILURE_MS = 1_000

/** Its end is after the running bets. */
export function startRobots(deps: RobotDeps & { wait: Clock['wait'] }): { stop(): Promise<void> } {
  return repeatUntilEnded(robotChecks(deps), {
    wait: deps.wait,
    failed: (error) => deps.log.warn({ error }, 'the robots will try again'),
    afterFailureMs: AFTER_FAILURE_MS,
  })
}

/** Makes the function that does what is due and returns the milliseconds until its next call. */
export function robotChecks(deps: RobotDeps): () => Promise<number> {
  const { now, schedule, random = systemRandom } = deps
  let plan: { issue: string; bets: PlannedBet[] } | null = null

  async function planOf(round: ScheduledRound): Promise<PlannedBet[]> {
    const { rooms } = await deps.catalog()
    const robots = await keepRobots({ db: deps.db, random }, rooms, round)
    // A driver that begins in the middle of a round skips the bets that are past.
    return planRound(round, robots, random).filter(({ at }) => at >= now())
  }

  return async function check() {
    if (!(await deps.leads())) {
      plan = null
      return SLEEP_MAX_MS
    }
    const round = roundAt(schedule, now())
    if (!round || now() >= round.sealsAt) return SLEEP_MAX_MS
    if (plan?.issue !== round.issue) plan = { issue: round.issue, bets: await planOf(round) }
    const at = now()
    const due = plan.bets.filter((bet) => bet.at <= at)
    plan.bets = plan.bets.filter((bet) => bet.at > at)
    if (due.length > 0 && at < round.sealsAt) await placeAll(deps, round, due)
    const next = plan.bets[0]
    return next ? Math.min(SLEEP_MAX_MS, Math.max(0, next.at - now())) : SLEEP_MAX_MS
  }
}

async function placeAll(
  { catalog, placeBet, log, random = systemRandom }: RobotDeps,
  round: ScheduledRound,
  due: readonly PlannedBet[],
): Promise<void> {
  const { games, rooms } = await catalog()
  const orders = due.map(async ({ playerId, roomId, seat, number }) => {
    const room = rooms.find(({ id }) => id === roomId)
    const game = games.find(({ id }) => id === room?.gameId)
    const chosen = room && chooseBet(room, random)
    if (!room || !game || !chosen || seat > room.robots) return
    if (gameStatus(game, { room, open: true }) !== 1) return
    const placed = await placeBet({
      playerId,
      gameId: game.id,
      roomId,
      issue: round.issue,
      ...chosen,
      followId: null,
      idempotencyKey: `robot-${round.issue}-${number}`,
    })
    if (isRefusal(placed)) log.debug({ playerId, reason: placed.refused }, 'a robot was refused')
  })
  for (const outcome of await Promise.allSettled(orders)) {
    if (outcome.status === 'rejected') {
      log.warn({ error: outcome.reason as unknown }, 'a robot could not bet')
    }
  }
}
