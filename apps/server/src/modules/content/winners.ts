import type { Queryable } from '#src/db/database.ts'
import { readFresh } from '#src/db/shared-reads.ts'
import { type Winner, winnersOfLastDay } from '#src/modules/bets/bet-store.ts'

const WINNERS_SHOWN = 20

/** How stale the list may be: it is computed from all wins of a day, and all clients show it. */
const FRESH_MS = 2_000

/**
 * Makes the reader of the home screen's winners; calls within a short time share one read.
 *
 * @param now a clock in milliseconds, as of `readFresh`
 */
export function winnersReader(db: Queryable, now?: () => number): () => Promise<Winner[]> {
  const load = () => winnersOfLastDay(db, WINNERS_SHOWN)
  return readFresh(load, { freshMs: FRESH_MS, ...(now && { now }) }).value
}
