/** Closing the book of a sealed round: the tree over its accepted bets, before the beacon speaks. */
import { bookLeaf, closeBook as buildBook, type ClosedBook } from '@sum28/fairness/closed-book.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Leaf, leavesOfRound } from './bet-store.ts'
import { playType } from './bet-wire.ts'

/** The closed book over all accepted bets of a round. */
export async function bookOfRound(
  db: Queryable,
  round: { gameId: number; issue: string },
): Promise<ClosedBook> {
  return buildBook((await leavesOfRound(db, round)).map(leafText))
}

/** A bet's text in the closed book. */
export function leafText({ orderNo, roomId, ruleIds, stake, nonce }: Leaf): string {
  return bookLeaf({ orderNo, planId: roomId, playType: playType(ruleIds), stake, nonce })
}
