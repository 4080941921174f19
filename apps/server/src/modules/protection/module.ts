/** Player protection: limits, the reality check, breaks, and deposits that are held. */
import type { Resources } from '#src/resources.ts'
import { protectionRoutes } from './routes.ts'

export function protectionModule(deps: Pick<Resources, 'db' | 'timeZone'>) {
  return { routes: protectionRoutes(deps) }
}
