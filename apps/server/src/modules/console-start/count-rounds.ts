/** Keeps the figures of finished rounds, from which the start page and the reports are made. */
import type { Queryable } from '#src/db/database.ts'

/** Rounds in a transaction: so many bets at most are read before others can count. */
const AT_ONCE = 100

/** Counts rounds that have finished since; so many at most that a page is quick. */
export async function countFinishedRounds(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select console_start.count_rounds($1) as count',
    [AT_ONCE],
  )
  return row?.count ?? 0
}

/** Counts until nothing is left, or the signal ends it; after an update of the product all that was ever played. */
export async function countAllRounds(db: Queryable, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await countFinishedRounds(db)) === AT_ONCE);
}
