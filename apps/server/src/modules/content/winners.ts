import type { Queryable } from '#src/db/database.ts'
import { readFresh } from '#src/db/shared-reads.ts'
import { type Winner, winnersOfLastDay } from '#src/modules/bets/bet-store.ts'

const WINNERS_SHOWN = 20

/** How old the list may be: all wins of a day are looked through for it, and everybody sees it. */
const FRESH_MS = 2_000

/** Makes the reader of the home screen's winners, which all who ask share for a moment. */
export function winnersReader(db: Queryable): () => Promise<Winner[]> {
  return readFresh(() => winnersOfLastDay(db, WINNERS_SHOWN), { freshMs: FRESH_MS }).value
}
