/** The robots module's SQL: the robots of each room, and their money, which is the house's. */
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'

export type Robot = {
  playerId: number
  roomId: number
  /** From 1; those up to the room's number of robots bet. */
  seat: number
}

export function allRobots(db: Queryable): Promise<Robot[]> {
  return db.query<Robot>(
    `select player_id as "playerId", room_id as "roomId", seat from robots.robot
     order by room_id, seat`,
  )
}

/** Makes a robot and gives it a seat; false if its name or its seat is taken. */
export function recruit(
  db: Queryable,
  { roomId, seat, username }: { roomId: number; seat: number; username: string },
): Promise<boolean> {
  return callFunction(db, 'robots.recruit', roomId, seat, username)
}

/** Fills up the cash of robots that are below their minimum; once for a cause. Returns how many. */
export async function fundRobots(
  db: Queryable,
  robots: readonly { playerId: number; floor: Amount; target: Amount }[],
  { gameDay, cause }: { gameDay: string; cause: string },
): Promise<number> {
  return (
    await db.one<{ count: number }>(
      `select robots.fund($1::integer[], $2::bigint[], $3::bigint[], $4::date, $5) as count`,
      [
        robots.map(({ playerId }) => playerId),
        robots.map(({ floor }) => String(floor)),
        robots.map(({ target }) => String(target)),
        gameDay,
        cause,
      ],
    )
  ).count
}

/** Takes back each robot's money above what it keeps; once for a cause. Returns the number of robots. */
export async function sweepRobots(
  db: Queryable,
  robots: readonly { playerId: number; keep: Amount }[],
  { gameDay, cause }: { gameDay: string; cause: string },
): Promise<number> {
  return (
    await db.one<{ count: number }>(
      `select robots.sweep($1::integer[], $2::bigint[], $3::date, $4) as count`,
      [
        robots.map(({ playerId }) => playerId),
        robots.map(({ keep }) => String(keep)),
        gameDay,
        cause,
      ],
    )
  ).count
}

/** Sets how many robots a room has, 0 to 50, and returns the previous number; null if there is no such room. */
export async function setRobots(
  db: Queryable,
  { roomId, robots, session }: { roomId: number; robots: number; session: string },
): Promise<number | null> {
  return (
    await db.one<{ before: number | null }>(
      `select robots.set_number($1::integer, $2::integer, $3) as before`,
      [roomId, robots, session],
    )
  ).before
}

/** Gives rooms without robots the demo's number of them, by type; once for each database. */
export function seatDemoRobots(db: Queryable, numbers: readonly number[]): Promise<boolean> {
  return callFunction(db, 'robots.seat_demo', numbers)
}
