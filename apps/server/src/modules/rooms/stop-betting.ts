import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import { liftStop, putStop, type StopReason, type StopSubject } from './stop-store.ts'

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

/**
 * Ends the stop of a room, of a game or of all betting. A room whose game is stopped takes no bets until the game is
 * opened too.
 *
 * @returns null, or not_found, not_stopped
 */
export async function openBetting(
  db: Database,
  { subject, session }: { subject: StopSubject; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await liftStop(tx, { subject, session })
    if (word === 'not_found') return refuseByWord(word, { field: 'id' })
    if (word === 'not_stopped') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'betting_opened',
      subject: stopSubjectName(subject),
      details: {},
    })
    return null
  })
}

/** Its name in the audit log: `betting`, `game:1` or `room:11`. */
function stopSubjectName(subject: StopSubject): string {
  return subject.scope === 'all' ? 'betting' : `${subject.scope}:${subject.id}`
}

/** The subject of a request; malformed if the id is missing, or is given with `all`. */
export function stopSubjectOf(input: {
  scope: StopSubject['scope']
  id?: number | null | undefined
}): StopSubject | Refusal {
  const { scope, id = null } = input
  if (scope === 'all') return id === null ? { scope } : malformed({ id: 'invalid' })
  return id === null ? malformed({ id: 'required' }) : { scope, id }
}
