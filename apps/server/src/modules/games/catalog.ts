/**
 * The present games and their rooms. A stop or a new limit holds from the next request on (GLI-19 2.4.1), so an
 * answer is never older than its request.
 */
import type { Queryable } from '#src/db/database.ts'
import { readInTurn } from '#src/db/shared-reads.ts'
import { allGames, allRooms, type Game, type Room } from './games-store.ts'

export type Catalog = {
  readonly games: readonly Game[]
  readonly rooms: readonly Room[]
}

/**
 * Makes the function that reads the catalog. Calls during a read share the next one: only one read runs at a time,
 * however many callers there are.
 */
export function catalogReader(db: Queryable): () => Promise<Catalog> {
  return readInTurn(async () => {
    const [games, rooms] = await Promise.all([allGames(db), allRooms(db)])
    return { games, rooms }
  })
}

/** The wire's status of a game or of a room in it: 1 runs, 0 closed, 2 stopped, 3 all stopped. */
export function gameStatus(
  game: Game,
  { room, open }: { room?: Room | undefined; open: boolean },
): 0 | 1 | 2 | 3 {
  if (game.houseStopped) return 3
  if (game.stopped || room?.stopped) return 2
  return open ? 1 : 0
}
