/** Makes sure that each room has its robots, and that they have money to bet. */
import type { Amount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import type { Room } from '#src/modules/games/games-store.ts'
import { MINIMUMS_MAX } from './choose-bet.ts'
import type { Random } from './random.ts'
import { robotName } from './robot-name.ts'
import { allRobots, fundRobots, type Robot, recruit, sweepRobots } from './robot-store.ts'

/** A robot can always pay for this many of its most expensive bets. */
const BETS_AHEAD = 4n

/** How many names are tried for one robot. */
const TRIES_MAX = 20

/**
 * Adds missing robots to rooms, gives money to robots that have little, and once a game day takes back their
 * winnings: each keeps what it needs in its room, and nothing if it no longer bets.
 *
 * @returns the robots that bet now
 */
export async function keepRobots(
  deps: { db: Database; random: Random },
  rooms: readonly Room[],
  round: { issue: string; gameDay: string },
): Promise<Robot[]> {
  const { db } = deps
  for (const seat of missing(rooms, await allRobots(db))) await fill(deps, seat)
  const robots = await allRobots(db)
  const roomOf = new Map(rooms.map((room) => [room.id, room]))
  const betting = robots.filter(({ roomId, seat }) => seat <= (roomOf.get(roomId)?.robots ?? 0))
  const needs = robots.map((robot) => ({
    ...robot,
    ...purse(betting.includes(robot) ? roomOf.get(robot.roomId) : undefined),
  }))
  const { gameDay } = round
  await sweepRobots(
    db,
    needs.map(({ playerId, target }) => ({ playerId, keep: target })),
    { gameDay, cause: `day:${gameDay}` },
  )
  await fundRobots(db, needs, { gameDay, cause: `round:${round.issue}` })
  return betting
}

/** The least money of a robot in a room, and the amount that it is filled up to; zero without a room. */
export function purse(room: Pick<Room, 'stakeMin' | 'entryMin'> | undefined): {
  floor: Amount
  target: Amount
} {
  if (!room) return { floor: 0n, target: 0n }
  const bets = room.stakeMin * (MINIMUMS_MAX + 1n) * BETS_AHEAD
  const floor = bets > room.entryMin ? bets : room.entryMin
  return { floor, target: 2n * floor }
}

type Seat = { roomId: number; seat: number }

function missing(rooms: readonly Room[], robots: readonly Robot[]): Seat[] {
  const taken = new Set(robots.map(({ roomId, seat }) => `${roomId} ${seat}`))
  return rooms.flatMap((room) =>
    Array.from({ length: room.robots }, (_, index) => ({
      roomId: room.id,
      seat: index + 1,
    })).filter(({ roomId, seat }) => !taken.has(`${roomId} ${seat}`)),
  )
}

async function fill({ db, random }: { db: Database; random: Random }, seat: Seat): Promise<void> {
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    if (await recruit(db, { ...seat, username: robotName(random) })) return
  }
}
