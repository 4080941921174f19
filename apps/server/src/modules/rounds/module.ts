/** Rounds: results, candles, proofs of draws, and voiding by staff. */
import type { Resources } from '#src/resources.ts'
import { roundRoutes, roundStaffRoutes } from './routes.ts'

export function roundsModule(deps: Pick<Resources, 'db' | 'timeZone' | 'now' | 'gamesChanged'>) {
  const { db, timeZone, now, gamesChanged } = deps
  return {
    routes: [
      ...roundRoutes({ db, timeZone, now }),
      ...roundStaffRoutes({ db, onChange: gamesChanged }),
    ],
  }
}
