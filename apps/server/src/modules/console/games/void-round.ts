import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { type Actor, type KindRules, propose } from '#src/modules/staff/proposal.ts'
import { isRefusal, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'

/** A void while nobody can know the result: every stake is returned, and the round is published as voided by staff. */
export const VOID: KindRules = {
  changesOf: () => [],

  auditOf: ({ subject, state, reason, endReason }) => ({
    action: state === 'confirmed' ? 'round_voided' : `void_${state}`,
    subject,
    details: state === 'confirmed' ? {} : { note: endReason ?? reason },
  }),

  refusalOf: async (_tx, word) =>
    refuseByWord(word, word === 'not_found' ? { field: 'issue' } : undefined),
}

/**
 * Proposes to void a round.
 *
 * @returns null, or not_found, already_decided, already_proposed, round_ended
 */
export function proposeVoid(
  db: Database,
  { gameId, issue, note, ...actor }: Actor & { gameId: number; issue: string; note: string },
): Promise<null | Refusal> {
  const subject = `round:${gameId}:${issue}`
  return asStaff(db, async (tx) => {
    const draft = { kind: 'void', subject, content: {}, reason: note } as const
    const made = await propose(tx, VOID, { ...draft, ...actor })
    return isRefusal(made) ? made : null
  })
}
