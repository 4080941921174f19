/** The greatest payout of a player and round: stored where the application cannot write, and read by all. */
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import { inMicro, wholeNumber } from '#src/formats/setting-kinds.ts'

export const payoutVariables = {
  PAYOUT_MAX: wholeNumber.min(1).max(1_000_000_000).default(1_000_000).transform(inMicro),
}

/**
 * Stores the greatest total payout of all bets of one player in one round of a game, for every process on this
 * database. It applies from the next order on; accepted bets are not affected.
 *
 * @param owner the database as its owner: the application's role may only read it
 */
export async function writePayoutMax(owner: Queryable, payoutMax: Amount): Promise<void> {
  await owner.query('update games.house set payout_max = $1', [payoutMax])
}

/** The present greatest total payout of all bets of one player in one round. */
export function payoutMaxOf(db: Queryable): Promise<Amount> {
  return db.value('select payout_max from games.house')
}
