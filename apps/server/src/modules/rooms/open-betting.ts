import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { liftStop, type StopSubject } from './stop-store.ts'
import { stopSubjectName } from './stop-subject.ts'

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
