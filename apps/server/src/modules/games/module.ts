/** Games and their rooms, and the rules. */
import type { Resources } from '#src/resources.ts'
import { catalogReader } from './catalog.ts'
import { gameRoutes } from './routes.ts'

/** The games of the house. */
export const GAME_IDS = [1, 2, 3, 4]

export function gamesModule(deps: Pick<Resources, 'db' | 'config' | 'schedule' | 'now'>) {
  const { db, config, schedule, now } = deps
  return {
    catalog: catalogReader(db),
    routes: gameRoutes({
      db,
      schedule,
      openingHours: config.openingHours,
      beaconDeadlineMs: config.beacon.deadlineMs,
      now,
    }),
  }
}
