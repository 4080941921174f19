/** The console's area start: tasks that need a person now, and the figures of the day. */
import type { Resources } from '#src/resources.ts'
import { consoleStartDownloads, consoleStartRoutes } from './routes.ts'

export function consoleStartModule(deps: Resources) {
  return { routes: consoleStartRoutes(deps), downloads: consoleStartDownloads(deps) }
}
