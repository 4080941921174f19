/** Keeps the figures of finished rounds, from which the start page and the reports are made. */
import type { Queryable } from '#src/db/database.ts'

/** Rounds of a game in a transaction: so many bets at most are read before others can count. */
const AT_ONCE = 25

/** Counts rounds that finished in the last three days, the newest first; so many at most that a page is quick. */
export async function countFinishedRounds(db: Queryable): Promise<void> {
  await db.query('select console_start.count_new_rounds($1)', [AT_ONCE])
}

/**
 * Counts all that is not counted, the oldest first, until nothing is left or the signal ends it; after an update of
 * the product all that was ever played. While a page counts, it ends: its job begins again.
 *
 * @param atOnce rounds of a game in a transaction
 */
export async function countAllRounds(
  db: Queryable,
  { signal, atOnce = AT_ONCE }: { signal?: AbortSignal; atOnce?: number } = {},
): Promise<void> {
  let done = 1
  while (!signal?.aborted && done > 0) {
    const [row] = await db.query<{ count: number }>(
      'select console_start.count_rounds($1) as count',
      [atOnce],
    )
    done = row?.count ?? 0
  }
}
