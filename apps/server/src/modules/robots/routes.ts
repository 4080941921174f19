import * as wire from '@sum28/contract/staff-house-routes.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import { setRobotsOfRoom } from './set-robots.ts'

/** The calls of staff about robots. */
export function robotStaffRoutes(deps: {
  db: Database
  catalog: () => Promise<Catalog>
  /** Whether this installation runs robots. */
  on: boolean
  /** Called with games whose rooms have changed. */
  roundChanged: (...gameIds: number[]) => void
}): RouteBinding[] {
  const { catalog, on } = deps

  async function state(): Promise<wire.RobotState> {
    const { rooms } = await catalog()
    return {
      on,
      rooms: rooms.map(({ id, gameId, title, type, robots }) => ({
        id,
        game_id: gameId,
        title,
        type,
        robots,
      })),
    }
  }

  return [
    bind(wire.robots, state),
    bind(wire.setRobots, async ({ input, caller }) => {
      const refused = await setRobotsOfRoom(deps, {
        roomId: input.plan_id,
        robots: input.robots,
        session: caller.token,
      })
      if (refused) return refused
      const now = await state()
      const room = now.rooms.find(({ id }) => id === input.plan_id)
      if (room) deps.roundChanged(room.game_id)
      return now
    }),
  ]
}
