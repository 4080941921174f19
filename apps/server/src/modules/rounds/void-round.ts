import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal.ts'

/**
 * Proposes to void a round, while nobody can know its result.
 *
 * @returns null, or not_found, already_decided, already_proposed, round_ended
 */
export async function proposeVoid(
  db: Database,
  {
    gameId,
    issue,
    note,
    session,
  }: { gameId: number; issue: string; note: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await proposeRoundVoid(tx, { gameId, issue, note, session })
    if (word !== 'proposed') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'void_proposed',
      subject: `round:${gameId}:${issue}`,
      details: { note },
    })
    return null
  })
}

/**
 * Voids a round that another person has proposed to void, while nobody can know its result. Every stake is returned,
 * and the round is published as voided by staff.
 *
 * @returns null, or not_found, not_proposed, already_decided, second_person_needed, round_ended
 */
export async function confirmVoid(
  db: Database,
  { gameId, issue, session }: { gameId: number; issue: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await confirmRoundVoid(tx, { gameId, issue, session })
    if (word !== 'voided') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'round_voided',
      subject: `round:${gameId}:${issue}`,
      details: {},
    })
    return null
  })
}

type VoidRequest = { gameId: number; issue: string; session: string }

export function proposeRoundVoid(
  db: Queryable,
  { gameId, issue, note, session }: VoidRequest & { note: string },
): Promise<'proposed' | 'not_found' | 'decided' | 'already_proposed' | 'too_late'> {
  return callFunction(db, 'rounds.propose_void', gameId, issue, note, session)
}

export function confirmRoundVoid(
  db: Queryable,
  { gameId, issue, session }: VoidRequest,
): Promise<'voided' | 'not_found' | 'not_proposed' | 'decided' | 'same_person' | 'too_late'> {
  return callFunction(db, 'rounds.confirm_void', gameId, issue, session)
}
