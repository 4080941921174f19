/** The console's area games: rounds, rooms, odds. */
import type { Resources } from '#src/resources.ts'
import { consoleGamesDownloads, consoleGamesRoutes } from './routes.ts'

export function consoleGamesModule(deps: Resources) {
  return { routes: consoleGamesRoutes(deps), downloads: consoleGamesDownloads(deps) }
}
