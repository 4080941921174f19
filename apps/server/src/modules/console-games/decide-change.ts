import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { changeFacts } from './change-facts.ts'
import { changeRow, confirmProposal, endProposal } from './change-store.ts'
import { rulesChanged } from './propose-change.ts'

/**
 * Confirms a change that another person has proposed. It takes effect when the next round of its game opens.
 *
 * @returns null, or not_found, already_decided, second_person_needed, rules_changed
 */
export async function confirmChange(
  db: Database,
  { changeId, session }: { changeId: number; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await confirmProposal(tx, { changeId, session })
    const change = await changeRow(tx, changeId)
    if (word === 'rules_changed' && change) return rulesChanged(tx, change)
    if (word !== 'confirmed') return refuseByWord(word)
    if (!change) throw new Error(`change ${changeId} was confirmed and is not there`)
    await appendAudit(tx, {
      session,
      action: 'room_change_confirmed',
      subject: `room:${change.roomId}`,
      details: changeFacts(change),
    })
    return null
  })
}

/**
 * Ends a change that is not effective yet: the person who proposed it withdraws it, another person refuses it.
 *
 * @returns null, or not_found, already_decided
 */
export async function endChange(
  db: Database,
  { changeId, reason, session }: { changeId: number; reason: string | null; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await endProposal(tx, { changeId, session })
    const change = await changeRow(tx, changeId)
    if (word !== 'withdrawn' && word !== 'refused') return refuseByWord(word)
    if (!change) throw new Error(`change ${changeId} was ended and is not there`)
    await appendAudit(tx, {
      session,
      action: `room_change_${word}`,
      subject: `room:${change.roomId}`,
      details: { ...changeFacts(change), reason },
    })
    return null
  })
}
