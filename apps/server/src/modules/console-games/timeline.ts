/** Rounds from opening to settlement, in the contract's form. */
import type { RoundPage, TimelineRound } from '@sum28/contract/staff-timeline-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { publishedRoundByIssue } from '#src/modules/rounds/published-round-store.ts'
import { publishedRound } from '#src/modules/rounds/published-wire.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
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
    rooms: rooms.map(({ roomId, room, robots, bets, staked, paid, refunded, waiting }) => ({
      ...{ room_id: roomId, room, robots, bets, waiting },
      staked: formatAmount(staked),
      paid: formatAmount(paid),
      refunded: formatAmount(refunded),
    })),
    proof: publishedRound(published),
  }
}

export function timelineReply(row: TimelineRow): TimelineRound {
  const { gameId, game, issue, state, digits, bets, proposedBy, proposedAt, note } = row
  const proposed = proposedBy !== null && proposedAt !== null && note !== null
  return {
    ...{ id: `${gameId}-${issue}`, game_id: gameId, game, issue, state, digits, bets },
    opens_at: unixSeconds(row.opensAt),
    seals_at: unixSeconds(row.sealsAt),
    draws_at: unixSeconds(row.drawsAt),
    book_closed_at: unixSecondsOrNull(row.bookClosedAt),
    value_at: unixSecondsOrNull(row.valueAt),
    drawn_at: unixSecondsOrNull(row.drawnAt),
    settled_at: unixSecondsOrNull(row.settledAt),
    voided_at: unixSecondsOrNull(row.voidedAt),
    void_reason: row.voidReason,
    proposal: proposed
      ? { by: proposedBy, at: unixSeconds(proposedAt), note, confirmed_by: row.confirmedBy }
      : null,
  }
}
