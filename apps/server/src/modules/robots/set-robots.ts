import type { Database } from '#src/db/database.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import { setRobots } from './robot-store.ts'

/**
 * Sets how many house robots a room has; 0 switches them off. Those that are too many bet no more at
 * once, new ones begin with the next round. It is audited, with the number there was.
 *
 * @param deps `on`: whether this installation runs robots at all
 * @returns null, or not_found, robots_off (any but 0 where none would run)
 */
export async function setRobotsOfRoom(
  { db, on }: { db: Database; on: boolean },
  { roomId, robots, staffId }: { roomId: number; robots: number; staffId: number },
): Promise<null | Refusal> {
  if (!on && robots > 0) return refuse('robots_off')
  return db.transaction(async (tx) => {
    const before = await setRobots(tx, { roomId, robots })
    if (before === null) return refuse('not_found', { field: 'plan_id' })
    await appendAudit(tx, {
      staffId,
      action: 'robots_set',
      subject: `room:${roomId}`,
      details: { before, after: robots },
    })
    return null
  })
}
