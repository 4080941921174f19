/** The robots module's SQL: the robots of each room, and their money, which is the house's. */
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

/** Sets how many robots a room has, 0 to 50, and returns the previous number; null if there is no such room. */
export function setRobots(
  db: Queryable,
  { roomId, robots, session }: { roomId: number; robots: number; session: string },
): Promise<number | null> {
  return callFunction(db, 'robots.set_number', roomId, robots, session)
}

/** Gives rooms without robots the demo's number of them, by type; once for each database. */
export function seatDemoRobots(db: Queryable, numbers: readonly number[]): Promise<boolean> {
  return callFunction(db, 'robots.seat_demo', numbers)
}
