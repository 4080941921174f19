import type { Queryable } from '#src/db/database.ts'
import { type Winner, winnersOfLastDay } from '#src/modules/bets/bet-store.ts'

const WINNERS_SHOWN = 20

/** How old the list may be: all wins of a day are looked through for it, and everybody sees it. */
const FRESH_MS = 2_000

/** Makes the reader of the home screen's winners, which all who ask share for a moment. */
export function winnersReader(db: Queryable): () => Promise<Winner[]> {
  let latest: { at: number; winners: Promise<Winner[]> } | null = null
  return () => {
    if (!latest || performance.now() - latest.at >= FRESH_MS) {
      const reading = { at: performance.now(), winners: winnersOfLastDay(db, WINNERS_SHOWN) }
      latest = reading
      reading.winners.catch(() => {
        if (latest === reading) latest = null
      })
    }
    return latest.winners
  }
}
