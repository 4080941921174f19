/** The console's area players: search, one player’s page, and what staff do about him. */
import type { Resources } from '#src/resources.ts'
import { consolePlayersDownloads, consolePlayersRoutes } from './routes.ts'

export function consolePlayersModule(deps: Resources) {
  return { routes: consolePlayersRoutes(deps), downloads: consolePlayersDownloads(deps) }
}
