/** Settling a drawn round, and refunding a voided one: set by set, each bet exactly once. */
import type { Queryable } from '#src/db/database.ts'
import { refundSome, settleSome } from './bet-store.ts'

/** Bets resolved in one transaction: large enough to be quick, small enough to let others in. */
const CHUNK = 5_000

/**
 * Settles every bet of a drawn round. Stopping at any point loses nothing: called again, it goes
 * on with the bets that are left.
 *
 * @param onDay the calendar day, in the operator's time zone, that profits are counted for
 * @returns how many bets were settled now
 */
export function settleRound(
  db: Queryable,
  round: { gameId: number; issue: string },
  onDay: string,
): Promise<number> {
  return inChunks(() => settleSome(db, round, { max: CHUNK, onDay }))
}

/** Returns every stake of a voided round in full; can be called again, as {@link settleRound}. */
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
