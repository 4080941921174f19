/** The console's area content: articles, notices, banners, about. */
import type { Resources } from '#src/resources.ts'
import { consoleContentDownloads, consoleContentRoutes } from './routes.ts'

export function consoleContentModule(deps: Resources) {
  return { routes: consoleContentRoutes(deps), downloads: consoleContentDownloads(deps) }
}
