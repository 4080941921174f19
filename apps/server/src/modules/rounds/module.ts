/** Rounds: results, candles, proofs of draws, and voiding by staff. */
import type { Resources } from '#src/resources.ts'
import { roundRoutes, roundStaffRoutes } from './routes.ts'

export function roundsModule(deps: Pick<Resources, 'db' | 'timeZone' | 'now' | 'roundChanged'>) {
  const { db, timeZone, now, roundChanged } = deps
  return {
    routes: [...roundRoutes({ db, timeZone, now }), ...roundStaffRoutes({ db, roundChanged })],
  }
}
