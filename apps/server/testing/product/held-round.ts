import { answerAfter } from '../database/second-call.ts'
import type { TestDatabase } from '../database/test-database.ts'

/** Acts 1 ms before a round's end, while somebody else holds the round until its end. */
export async function heldUntilTheEnd<Answer>(
  database: TestDatabase,
  round: { issue: string; drawsAt: number },
  act: () => Promise<Answer>,
): Promise<Answer> {
  await database.freezeClock(round.drawsAt - 1)
  return answerAfter(database, {
    first: (tx) =>
      tx.query('select from rounds.round where issue = $1 for no key update', [round.issue]),
    second: act,
    whileWaiting: () => database.freezeClock(round.drawsAt),
  })
}
