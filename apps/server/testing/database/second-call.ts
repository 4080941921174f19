/** Two calls at once: the second begins while the first is not committed, and is answered after it. */
import type { Transaction } from '#src/db/database.ts'
import { somebodyWaits } from './lock-wait.ts'
import type { TestDatabase } from './test-database.ts'

/**
 * Makes the first call in a transaction that is committed as soon as the second waits for it.
 *
 * @param calls `whileWaiting`: what the first transaction also does, once the second call waits
 * @returns the answer of the second call
 */
export async function answerAfter<Answer>(
  database: Pick<TestDatabase, 'owner'>,
  calls: {
    first(tx: Transaction): Promise<unknown>
    second(): Promise<Answer>
    whileWaiting?(tx: Transaction): Promise<unknown>
  },
): Promise<Answer> {
  const { answer } = await database.owner.transaction(async (tx) => {
    await calls.first(tx)
    const answer = calls.second()
    // A second call that waits for nothing is answered at once.
    await Promise.race([somebodyWaits(database), answer])
    await calls.whileWaiting?.(tx)
    return { answer }
  })
  return answer
}
