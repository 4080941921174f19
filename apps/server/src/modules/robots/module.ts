/** The house's robots: how many each room has. jobs/robot-driver.ts lets them bet. */
import * as wire from '@sum28/contract/staff-house-routes.ts'
import type { Database } from '#src/db/database.ts'
import { bind } from '#src/http/call.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { seatDemoRobots, setRobots } from './robot-store.ts'

/** How many robots the demo's rooms have at first: basic, senior, master, expert. */
const DEMO_ROBOTS = [6, 4, 3, 2]

export async function robotsModule(
  deps: Pick<Resources, 'db' | 'config' | 'roundChanged'> & { catalog: () => Promise<Catalog> },
) {
  const { db, catalog, roundChanged } = deps
  const on = deps.config.robots
  if (deps.config.profile === 'demo' && on) await seatDemoRobots(db, DEMO_ROBOTS)
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

  return {
    routes: [
      bind(wire.robots, state),
      bind(wire.setRobots, async ({ input, caller }) => {
        const refused = await setRobotsOfRoom(
          { db, on },
          {
            roomId: input.plan_id,
            robots: input.robots,
            session: caller.token,
          },
        )
        if (refused) return refused
        const now = await state()
        const room = now.rooms.find(({ id }) => id === input.plan_id)
        if (room) roundChanged(room.game_id)
        return now
      }),
    ],
  }
}

/**
 * Sets how many house robots a room has; 0 switches them off. Surplus robots stop betting at once, new ones begin
 * with the next round. The audit log records it, with the previous number.
 *
 * @param deps `on`: whether this installation runs robots
 * @returns null, or not_found, robots_off (any number but 0 if robots do not run)
 */
async function setRobotsOfRoom(
  { db, on }: { db: Database; on: boolean },
  { roomId, robots, session }: { roomId: number; robots: number; session: string },
): Promise<null | Refusal> {
  if (!on && robots > 0) return refuse('robots_off')
  return asStaff(db, async (tx) => {
    const before = await setRobots(tx, { roomId, robots, session })
    if (before === null) return refuse('not_found', { field: 'plan_id' })
    await appendAudit(tx, {
      session,
      action: 'robots_set',
      subject: `room:${roomId}`,
      details: { before, after: robots },
    })
    return null
  })
}
