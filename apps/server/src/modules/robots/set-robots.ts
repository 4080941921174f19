import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { setRobots } from './robot-store.ts'

/**
 * Sets how many house robots a room has; 0 switches them off. Surplus robots stop betting at once, new ones begin
 * with the next round. The audit log records it, with the previous number.
 *
 * @param deps `on`: whether this installation runs robots
 * @returns null, or not_found, robots_off (any number but 0 if robots do not run)
 */
export async function setRobotsOfRoom(
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
