/** Settles a drawn round, and refunds a voided one: chunk by chunk, each bet exactly once. */
import type { Queryable } from '#src/db/database.ts'
import { refundSome, settleSome } from './bet-store.ts'

type Round = { gameId: number; issue: string }

export type Pace = {
  /** Bets resolved in one transaction. */
  chunk: number
  /**
   * Waits between two chunks. Rejects when there shall be no more.
   *
   * @param tookMs the duration of the last chunk
   */
  rest(tookMs: number): Promise<void>
}

/** Enough to be fast, few enough not to block others for long. */
export const CHUNK = 5_000

const WITHOUT_REST: Pace = { chunk: CHUNK, rest: async () => {} }

/**
 * Settles every bet of a drawn round. It can be stopped at any point: the next call continues with the bets that are
 * left.
 *
 * @param onDay the calendar day, in the operator's time zone, on which profits are booked
 * @returns how many bets were settled now
 * @throws what `pace` rejects with
 */
export function settleRound(
  db: Queryable,
  round: Round,
  onDay: string,
  pace: Pace = WITHOUT_REST,
): Promise<number> {
  return inChunks((max) => settleSome(db, round, { max, onDay }), pace)
}

/** Returns every stake of a voided round in full; can be repeated like {@link settleRound}. */
export function refundRound(
  db: Queryable,
  round: Round,
  pace: Pace = WITHOUT_REST,
): Promise<number> {
  return inChunks((max) => refundSome(db, round, { max }), pace)
}

async function inChunks(
  next: (max: number) => Promise<number>,
  { chunk, rest }: Pace,
): Promise<number> {
  let resolved = 0
  for (;;) {
    const begunAt = performance.now()
    const count = await next(chunk)
    resolved += count
    if (count < chunk) return resolved
    await rest(performance.now() - begunAt)
  }
}
