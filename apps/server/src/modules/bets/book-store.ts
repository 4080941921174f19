/** The bets module's SQL for the closed book: adding to it, closing it, and finding a bet in it. */
import { only, type Queryable } from '#src/db/database.ts'

type Named = { gameId: number; issue: string }

/**
 * Adds bets to a round's book that are not in it yet. @returns how many; fewer than `max` when none are left
 */
export async function extendBook(
  db: Queryable,
  { gameId, issue }: Named,
  max: number,
): Promise<number> {
  return only(
    await db.query<{ added: number }>(`select bets.extend_book($1::smallint, $2, $3) as added`, [
      gameId,
      issue,
      max,
    ]),
  ).added
}

/**
 * Ends betting on a round at its seal time and closes its book, in one step; false if it is too early, too late, or
 * already done.
 */
export async function sealRound(db: Queryable, { gameId, issue }: Named): Promise<boolean> {
  return only(
    await db.query<{ done: boolean }>(`select bets.seal($1::smallint, $2) as done`, [
      gameId,
      issue,
    ]),
  ).done
}

/** Rounds of a game whose seal is overdue by this time, for any process that notices it. */
export function overdueRounds(db: Queryable, gameId: number, byMs: number): Promise<Named[]> {
  return db.query<Named>(
    `select game_id as "gameId", issue::text from rounds.round
     where game_id = $1 and settled_at is null and state = 'open' and draws_at > (select app.now())
       and seals_at <= (select app.now()) - make_interval(secs => $2)`,
    [gameId, byMs / 1000],
  )
}

/** The stored data of a round's book; hashes in hex. */
export type BookRow = {
  size: number
  /** The first bet of the last block, complete or not. */
  blockFirstId: bigint
  /** The roots of complete subtrees: element n covers 2^n leaves, if the size has that bit. */
  subtreeRoots: (string | null)[]
  root: string
}

export async function readBookRow(
  db: Queryable,
  { gameId, issue }: Named,
): Promise<BookRow | undefined> {
  const [book] = await db.query<BookRow>(
    `select size, block_first_id as "blockFirstId",
       array(select encode(hash, 'hex') from unnest(subtree_roots) with ordinality each (hash, position)
         order by position) as "subtreeRoots",
       encode(bets.root_of(size, subtree_roots), 'hex') as root
     from bets.book where game_id = $1 and issue = $2`,
    [gameId, issue],
  )
  return book
}

/** The complete block that a bet may be in: its position among the blocks, and its first bet. */
export async function blockOf(
  db: Queryable,
  { gameId, issue }: Named,
  betId: bigint,
): Promise<{ position: number; firstId: bigint } | undefined> {
  const [block] = await db.query<{ position: number; firstId: bigint }>(
    `select position, first_bet_id as "firstId" from bets.book_node
     where game_id = $1 and issue = $2 and level = 8 and first_bet_id <= $3
     order by first_bet_id desc limit 1`,
    [gameId, issue, betId],
  )
  return block
}

/** The leaves of a round from one bet on, in the order of acceptance; hashes in hex. */
export function leavesFrom(
  db: Queryable,
  { gameId, issue }: Named,
  { firstId, max }: { firstId: bigint; max: number },
): Promise<{ id: bigint; hash: string }[]> {
  return db.query(
    `select id, encode(bets.leaf_hash(bet), 'hex') as hash
     from bets.bet
     where game_id = $1 and issue = $2 and id >= $3
       and booked_on = (select game_day from rounds.round where game_id = $1 and issue = $2)
     order by id limit $4`,
    [gameId, issue, firstId, max],
  )
}

/** Complete subtrees by level and position, as `level position`; hashes in hex. */
export async function nodesOf(
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
