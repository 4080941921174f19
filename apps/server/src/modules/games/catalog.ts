/** The games and their rooms, kept in memory for a moment: they change rarely and are asked often. */
import type { Queryable } from '#src/db/database.ts'
import { allGames, allRooms, type Game, type Room } from './games-store.ts'

/** How long a stop or a new limit may take to show; the database checks each bet at once. */
const FRESH_MS = 1_000

export type Catalog = {
  readonly games: readonly Game[]
  readonly rooms: readonly Room[]
}

/** Makes the function that gives the catalog, at most a second old. */
export function catalogReader(db: Queryable, now: () => number): () => Promise<Catalog> {
  let current: { at: number; catalog: Promise<Catalog> } | null = null
  return () => {
    if (!current || now() - current.at >= FRESH_MS) {
      const catalog = Promise.all([allGames(db), allRooms(db)]).then(([games, rooms]) => ({
        games,
        rooms,
      }))
      const reading = { at: now(), catalog }
      current = reading
      catalog.catch(() => {
        if (current === reading) current = null
      })
    }
    return current.catalog
  }
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
