/** The position of a bet in its round's closed book, and the path from there to the root. */
import {
  BLOCK_SIZE,
  type Subtree,
  storedBookPath,
  subtreesOfPath,
} from '@sum28/fairness/stored-book-path.ts'
import type { Queryable } from '#src/db/database.ts'
import { type BookRow, blockOf, leavesFrom, nodesOf, readBookRow } from './book-store.ts'

export type PositionInBook = {
  /** In the order of acceptance, from 0. */
  leafIndex: number
  /** From the leaf upwards, in hex. */
  path: string[]
}

/**
 * Finds a bet in the closed book of its round. Reads a block of its neighbours and some subtrees, however long the
 * book is.
 *
 * @param round with its published root, in hex, and size
 * @throws if the bet is not in the book, or the book is not the published one
 */
export async function readPositionInBook(
  db: Queryable,
  round: { gameId: number; issue: string; bookRoot: string; bookSize: number },
  betId: bigint,
): Promise<PositionInBook> {
  const book = await publishedBook(db, round)
  const block = await blockAround(db, round, { book, betId })
  const leaves = await leavesFrom(db, round, { firstId: block.firstId, max: BLOCK_SIZE })
  const inBlock = leaves.findIndex(({ id }) => id === betId)
  if (inBlock < 0) throw new Error(`bet ${betId} is not in its round's book`)
  const leafIndex = block.position * BLOCK_SIZE + inBlock
  const nodes = await nodesOf(db, round, subtreesOfPath(leafIndex, book.size))
  const nodeAt = ({ level, position }: Subtree) => nodes.get(`${level} ${position}`)
  const hashes = leaves.map(({ hash }) => hash)
  return { leafIndex, path: storedBookPath(book, { leafIndex, block: hashes }, nodeAt) }
}

async function publishedBook(
  db: Queryable,
  round: { gameId: number; issue: string; bookRoot: string; bookSize: number },
): Promise<BookRow> {
  const book = await readBookRow(db, round)
  if (book?.size !== round.bookSize || book.root !== round.bookRoot) {
    throw new Error(
      `the bets of round ${round.issue} of game ${round.gameId} are not those of its book`,
    )
  }
  return book
}

async function blockAround(
  db: Queryable,
  round: { gameId: number; issue: string },
  { book, betId }: { book: BookRow; betId: bigint },
): Promise<{ position: number; firstId: bigint }> {
  const last = { position: Math.floor(book.size / BLOCK_SIZE), firstId: book.blockFirstId }
  if (book.size % BLOCK_SIZE > 0 && betId >= last.firstId) return last
  const block = await blockOf(db, round, betId)
  if (!block) throw new Error(`bet ${betId} is not in its round's book`)
  return block
}
