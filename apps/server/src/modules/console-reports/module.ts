/** The console's area reports: figures by day, game, room and player. */
import type { Resources } from '#src/resources.ts'
import { consoleReportsDownloads, consoleReportsRoutes } from './routes.ts'

export function consoleReportsModule(deps: Resources) {
  return { routes: consoleReportsRoutes(deps), downloads: consoleReportsDownloads(deps) }
}
