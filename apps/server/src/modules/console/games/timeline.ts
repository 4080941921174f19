/** Rounds from opening to settlement, in the contract's form. */
import type { RoundPage, TimelineRound } from '@sum28/contract/staff-timeline-routes.ts'
import type { Queryable } from '#src/db/database.ts'
import { publishedRound, publishedRoundByIssue } from '#src/modules/rounds/published-round.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { wireOf } from '#src/wire-form.ts'
import { betsOfRound, type TimelineRow, timelineRound } from './timeline-store.ts'

/** @returns the data of one round, or not_found */
export async function roundPage(
  db: Queryable,
  round: { gameId: number; issue: string },
): Promise<RoundPage | Refusal> {
  const row = await timelineRound(db, round)
  const published = await publishedRoundByIssue(db, round)
  if (!row || !published) return refuse('not_found', { field: 'issue' })
  const rooms = await betsOfRound(db, round)
  return {
    ...timelineReply(row),
    rooms: rooms.map(wireOf),
    proof: publishedRound(published),
  }
}

export function timelineReply({
  proposedBy,
  proposedAt,
  note,
  confirmedBy,
  ...round
}: TimelineRow): TimelineRound {
  const proposed = proposedBy !== null && proposedAt !== null && note !== null
  return {
    ...wireOf(round),
    id: `${round.gameId}-${round.issue}`,
    proposal: proposed
      ? { ...wireOf({ by: proposedBy, at: proposedAt, note }), confirmed_by: confirmedBy }
      : null,
  }
}
