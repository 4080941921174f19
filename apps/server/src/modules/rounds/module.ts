/** Rounds: results, candles, proofs of draws, and voiding by staff. */
import type { Resources } from '#src/resources.ts'
import { roundRoutes, roundStaffRoutes } from './routes.ts'

export function roundsModule(
  deps: Pick<Resources, 'db' | 'oldReads' | 'timeZone' | 'now' | 'roundChanged'>,
) {
  const { db, oldReads, timeZone, now, roundChanged } = deps
  return {
    routes: [
      ...roundRoutes({ oldReads, timeZone, now }),
      ...roundStaffRoutes({ db, roundChanged }),
    ],
  }
}
