/** Makes sure that each room has its robots, and that they have money to bet. */
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, type Database } from '#src/db/database.ts'
import type { Room } from '#src/modules/games/catalog.ts'
import { MINIMUMS_MAX, oneOf, type Random } from './plan-round.ts'
import { allRobots, type Robot, recruit } from './robot-store.ts'

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
  const players = needs.map(({ playerId }) => playerId)
  const floors = needs.map(({ floor }) => String(floor))
  const targets = needs.map(({ target }) => String(target))
  for (const [fills, cause] of [
    [false, `day:${gameDay}`],
    [true, `round:${round.issue}`],
  ]) {
    await callFunction(db, 'robots.level', fills, players, floors, targets, gameDay, cause)
  }
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

const GIVEN =
  `Aiko Alex Amir Anh Anita Arif Ben Bima Carlo Chen Clara Dani Dewi Diego Elena Emir Eva Farid
  Felix Finn Gita Hana Hugo Huong Ines Ivan Jade Jin Joon Kai Karim Kei Lan Lena Leo Lila Linh Luca Mai
  Marco Maya Mei Mika Mina Minh Nadia Nam Nico Nina Noah Omar Oscar Paolo Petra Putri Quang Rafi Ravi
  Rina Rosa Ryo Sara Sena Siti Sora Tam Theo Thu Tomas Tuan Uma Vera Viet Wei Yara Yuki Yuna Zara`.split(
    /\s+/,
  )

const WORDS =
  `blue bright calm cloud coral cosmic dawn desert dune early ember fern fox green harbor hill
  island jade jolly lake lemon light lucky lunar maple mint moon north ocean olive orange pine quiet
  rain river sandy silver sky snow solar spring star stone summer sunny swift tiger wave wild winter`.split(
    /\s+/,
  )

/** A user name of 3–20 letters, digits and underscores; most are not taken yet. */
export function robotName(random: Random): string {
  const firstName = oneOf(GIVEN, random)
  const word = oneOf(WORDS, random)
  const number = String(random(990) + 10)
  const name = oneOf(
    [
      `${firstName}_${number}`,
      `${firstName.toLowerCase()}${number}`,
      `${word}_${firstName.toLowerCase()}`,
      `${firstName}${word[0]?.toUpperCase()}${word.slice(1)}`,
      `${word}${number}`,
      `${firstName.toLowerCase()}${word}`,
    ],
    random,
  )
  return name.slice(0, 20)
}
