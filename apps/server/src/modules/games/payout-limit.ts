/** The greatest payout of a player and round: kept where the application cannot write, and read by all. */
import type { Amount } from '@sum28/domain/money.ts'
import { only, type Queryable } from '#src/db/database.ts'

/**
 * Writes the most that all bets of one player in one round of a game may pay together, for every
 * process on this database. It binds from the next order on; a bet that was accepted stands.
 *
 * @param owner the database as its owner: the application's role may only read it
 */
export async function writePayoutMax(owner: Queryable, payoutMax: Amount): Promise<void> {
  await owner.query('update games.house set payout_max = $1', [payoutMax])
}

/** The most that all bets of one player in one round may pay together, as it stands now. */
export async function payoutMaxOf(db: Queryable): Promise<Amount> {
  const rows = await db.query<{ payoutMax: Amount }>(
    'select payout_max as "payoutMax" from games.house',
  )
  return only(rows).payoutMax
}
