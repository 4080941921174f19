import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { type Contact, insertContact } from './signs-store.ts'

/** How many days later a contact may still be recorded. */
const DAYS_BACK = 30

/**
 * Records a contact with a player about his play, by default today. Players never see it, and it cannot be changed.
 *
 * @returns null, or not_found, or malformed input if the day is in the future or too long ago
 */
export async function addContact(
  { db, timeZone, now }: { db: Database; timeZone: string; now: () => number },
  { day, ...contact }: Omit<Contact, 'day'> & { day?: string | undefined },
): Promise<null | Refusal> {
  const today = dayOf(timeZone, now())
  const on = day ?? today
  if (on > today || on < addDays(today, -DAYS_BACK)) return malformed({ day: 'invalid' })
  return asStaff(db, async (tx) => {
    const { playerId, session, channel, text } = contact
    const word = await insertContact(tx, { ...contact, day: on })
    if (word === 'not_found') return refuseByWord('not_found', { field: 'user_id' })
    await appendAudit(tx, {
      ...{ session, action: 'player_contacted', subject: `player:${playerId}` },
      details: { day: on, channel, text },
    })
    return null
  })
}
