/** Closing the book of a sealed round: the tree over its accepted bets, before the beacon speaks. */
import { bookLeaf, closeBook as buildBook, type ClosedBook } from '@sum28/fairness/closed-book.ts'
import type { Queryable } from '#src/db/database.ts'
import { leavesOfRound } from './bet-store.ts'
import { playType } from './bet-wire.ts'

/** The closed book over all accepted bets of a round. */
export async function bookOfRound(
  db: Queryable,
  round: { gameId: number; issue: string },
): Promise<ClosedBook> {
  const leaves = await leavesOfRound(db, round)
  return buildBook(
    leaves.map(({ orderNo, roomId, ruleIds, stake, nonce }) =>
      bookLeaf({ orderNo, planId: roomId, playType: playType(ruleIds), stake, nonce }),
    ),
  )
}
