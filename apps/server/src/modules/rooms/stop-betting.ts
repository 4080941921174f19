import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { putStop, type StopReason, type StopSubject } from './stop-store.ts'
import { stopSubjectName } from './stop-subject.ts'

/**
 * Stops a room, a game or all betting: after the answer the database accepts no more bets there. Rounds continue, and
 * accepted bets are settled. A stop can be repeated with another reason.
 *
 * @returns null, or not_found, malformed (`other` without a note)
 */
export async function stopBetting(
  db: Database,
  stop: {
    subject: StopSubject
    reason: StopReason
    note: string | undefined
    session: string
  },
): Promise<null | Refusal> {
  const { subject, reason, session, note = null } = stop
  if (reason === 'other' && note === null) return malformed({ note: 'required' })
  return asStaff(db, async (tx) => {
    if (!(await putStop(tx, { subject, reason, note, session }))) {
      return refuse('not_found', { field: 'id' })
    }
    await appendAudit(tx, {
      session,
      action: 'betting_stopped',
      subject: stopSubjectName(subject),
      details: { reason, note },
    })
    return null
  })
}
