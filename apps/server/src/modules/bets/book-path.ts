/** The position of a bet in its round's closed book, and the path from there to the root. */
import {
  BLOCK_SIZE,
  type Subtree,
  storedBookPath,
  subtreesOfPath,
} from '@sum28/fairness/stored-book-path.ts'
import type { Queryable } from '#src/db/database.ts'

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

type Named = { gameId: number; issue: string }

/** The stored data of a round's book; hashes in hex. */
export type BookRow = {
  size: number
  /** The first bet of the last block, complete or not. */
  blockFirstId: bigint
  /** The roots of complete subtrees: element n covers 2^n leaves, if the size has that bit. */
  subtreeRoots: (string | null)[]
  root: string
}

export function readBookRow(db: Queryable, { gameId, issue }: Named): Promise<BookRow | undefined> {
  return db.first<BookRow>(
    `select size, block_first_id as "blockFirstId",
       array(select encode(hash, 'hex') from unnest(subtree_roots) with ordinality each (hash, position)
         order by position) as "subtreeRoots",
       encode(bets.root_of(size, subtree_roots), 'hex') as root
     from bets.book where game_id = $1 and issue = $2`,
    [gameId, issue],
  )
}

/** The complete block that a bet may be in: its position among the blocks, and its first bet. */
function blockOf(
  db: Queryable,
  { gameId, issue }: Named,
  betId: bigint,
): Promise<{ position: number; firstId: bigint } | undefined> {
  return db.first<{ position: number; firstId: bigint }>(
    `select position, first_bet_id as "firstId" from bets.book_node
     where game_id = $1 and issue = $2 and level = 8 and first_bet_id <= $3
     order by first_bet_id desc limit 1`,
    [gameId, issue, betId],
  )
}

/** The leaves of a round from one bet on, in the order of acceptance; hashes in hex. */
export function leavesFrom(
  db: Queryable,
  { gameId, issue }: Named,
  { firstId, max }: { firstId: bigint; max: number },
): Promise<{ id: bigint; hash: string }[]> {
  return db.query(
    `select id, encode(bets.leaf_hash(bet), 'hex') as hash
     from rounds.round join bets.book using (game_id, issue)
       cross join lateral bets.accepted_after(round.game_id, round.issue, game_day, $3::bigint - 1, last_bet_id, $4) bet
     where round.game_id = $1 and round.issue = $2
     order by id`,
    [gameId, issue, firstId, max],
  )
}

/** Complete subtrees by level and position, as `level position`; hashes in hex. */
async function nodesOf(
  db: Queryable,
  { gameId, issue }: Named,
  nodes: readonly { level: number; position: number }[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ level: number; position: number; hash: string }>(
    `select level, position, encode(hash, 'hex') as hash from bets.book_node
     where game_id = $1 and issue = $2
       and (level, position) in (select * from unnest($3::integer[], $4::integer[]))`,
    [gameId, issue, nodes.map(({ level }) => level), nodes.map(({ position }) => position)],
  )
  return new Map(rows.map(({ level, position, hash }) => [`${level} ${position}`, hash]))
}
