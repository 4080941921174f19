/** Player protection: limits, the reality check, breaks, and deposits that are held. */
import type { Resources } from '#src/resources.ts'
import { protectionRoutes } from './routes.ts'

export function protectionModule({ db }: Pick<Resources, 'db'>) {
  return { routes: protectionRoutes({ db }) }
}
