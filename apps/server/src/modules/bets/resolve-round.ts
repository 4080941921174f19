/** Settles a drawn round, and refunds a voided one: batch by batch, each bet exactly once. */
import type { Queryable } from '#src/db/database.ts'
import { refundSome, settleSome } from './bet-store.ts'

/** Bets resolved in one transaction: enough to be fast, few enough not to block others for long. */
const CHUNK = 5_000

/**
 * Settles every bet of a drawn round. It can be stopped at any point: the next call continues with the bets that are
 * left.
 *
 * @param onDay the calendar day, in the operator's time zone, on which profits are booked
 * @returns how many bets were settled now
 */
export function settleRound(
  db: Queryable,
  round: { gameId: number; issue: string },
  onDay: string,
): Promise<number> {
  return inChunks(() => settleSome(db, round, { max: CHUNK, onDay }))
}

/** Returns every stake of a voided round in full; can be repeated like {@link settleRound}. */
export function refundRound(
  db: Queryable,
  round: { gameId: number; issue: string },
): Promise<number> {
  return inChunks(() => refundSome(db, round, { max: CHUNK }))
}

async function inChunks(next: () => Promise<number>): Promise<number> {
  let resolved = 0
  for (;;) {
    const count = await next()
    resolved += count
    if (count < CHUNK) return resolved
  }
}
