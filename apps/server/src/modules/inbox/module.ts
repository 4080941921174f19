/** Messages to players: their own, and announcements. */
import type { Resources } from '#src/resources.ts'
import { inboxRoutes, type ReadAnnouncements } from './routes.ts'

export function inboxModule(
  deps: Pick<Resources, 'db'> & { readAnnouncements: ReadAnnouncements },
) {
  return {
    routes: inboxRoutes({ db: deps.db, announcements: deps.readAnnouncements }),
  }
}
