/** Stores the totals of finished rounds, which the start page and the reports use. */
import type { Queryable } from '#src/db/database.ts'

/** Rounds of a game in one transaction: this limits how many bets are read before others can count. */
const AT_ONCE = 25

/**
 * Counts rounds that finished in the last three days, the newest first; the number is limited so that a page stays
 * fast.
 */
export async function countFinishedRounds(db: Queryable): Promise<void> {
  await db.query('select console_start.count_new_rounds($1)', [AT_ONCE])
}

/**
 * Counts all uncounted rounds, the oldest first, until none is left or the signal stops it; after an update of the
 * product these can be all rounds ever played. If a page counts at the same time, it stops, and its job runs again.
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
